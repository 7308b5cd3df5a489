// A button of the legend highlights the sentences and the points of its theme; a second press, or
// Escape, shows all again.
for (const article of document.querySelectorAll("article")) {
  const buttons = [...article.querySelectorAll(".legend button")];
  const marked = [...article.querySelectorAll(".sentence, .point")];
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
