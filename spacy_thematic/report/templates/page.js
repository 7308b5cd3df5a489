// A button of the legend highlights the sentences of its theme; a second press, or
// Escape, shows all again.
for (const article of document.querySelectorAll("article")) {
  const buttons = [...article.querySelectorAll(".legend button")];
  const marked = [...article.querySelectorAll(".sentence")];
  const status = article.querySelector("[role=status]");
  const isPressed = (button) => button.getAttribute("aria-pressed") === "true";
  const choose = (button) => {
    const chosen = !isPressed(button);
    for (const other of buttons)
      other.setAttribute("aria-pressed", String(chosen && other === button));
    article.classList.toggle("chosen", chosen);
    for (const element of marked)
      element.classList.toggle("on", chosen && element.dataset.theme === button.dataset.theme);
    const n = article.querySelectorAll(".sentence.on").length;
    status.textContent = chosen ? `${n} ${n === 1 ? "sentence" : "sentences"} highlighted` : "";
  };
  for (const button of buttons) button.addEventListener("click", () => choose(button));
  document.addEventListener("keydown", (event) => {
    const pressed = buttons.find(isPressed);
    if (event.key === "Escape" && pressed) choose(pressed);
  });
}

// The table of shared themes: searched with the texts, sorted by a column, and saved.
const table = document.querySelector(".overview .themes");
if (table) {
  const search = document.querySelector(".tools input");
  const status = document.querySelector(".tools [role=status]");
  const bodies = () => [...table.tBodies];
  const texts = [...document.querySelectorAll("article")];
  const links = [...document.querySelectorAll(".overview .contents > ol > li")];
  const count = (n, noun) => `${n} ${noun}${n === 1 ? "" : "s"}`;
  const cell = (body, column) => body.rows[0].cells[column].textContent.trim();
  search.addEventListener("input", () => {
    const wanted = search.value.trim().toLowerCase();
    let n = 0;
    for (const body of bodies()) {
      let found = 0;
      for (const item of body.querySelectorAll(".examples li")) {
        item.hidden = !item.textContent.toLowerCase().includes(wanted);
        found += !item.hidden;
      }
      const named = body.rows[0].textContent.toLowerCase().includes(wanted);
      body.hidden = !found && !named;
      body.querySelector("details").open = wanted !== "" && found > 0;
      n += found;
    }
    texts.forEach((text, i) => {
      text.hidden = !text.textContent.toLowerCase().includes(wanted);
      if (links[i]) links[i].hidden = text.hidden;
    });
    const seen = texts.filter((text) => !text.hidden).length;
    status.textContent = wanted
      ? `${count(n, "example sentence")} and ${count(seen, "text")} found`
      : "";
  });
  [...table.tHead.rows[0].cells].forEach((head, column) => {
    const button = head.querySelector("button");
    if (!button) return;
    button.addEventListener("click", () => {
      const numbers = head.classList.contains("number");
      const usual = numbers ? "descending" : "ascending";
      const down = numbers !== (head.getAttribute("aria-sort") === usual);
      for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      const sign = down ? -1 : 1;
      const compare = (a, b) =>
        numbers ? a - b : a.localeCompare(b, undefined, { numeric: true });
      table.append(
        ...bodies().sort((a, b) => sign * compare(cell(a, column), cell(b, column))),
      );
    });
  });
  document.querySelector(".save").addEventListener("click", () => {
    const quote = (text) => `"${text.replaceAll('"', '""')}"`;
    const seen = bodies().filter((body) => !body.hidden);
    const columns = [...table.querySelectorAll("thead button")].map(
      (button) => button.parentElement.cellIndex,
    );
    const heads = columns.map((column) => table.tHead.rows[0].cells[column].textContent.trim());
    const lines = [heads, ...seen.map((body) => columns.map((column) => cell(body, column)))];
    const text = lines.map((line) => line.map(quote).join(",")).join("\r\n");
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
    link.download = "themes.csv";
    link.click();
    URL.revokeObjectURL(link.href);
  });
}
