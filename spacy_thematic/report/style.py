"""Style and behaviour of the page, in one place; the page carries both, and loads nothing."""

from __future__ import annotations

import base64
import hashlib

CSS = """
:root { color-scheme: light dark; --paper: #fff; --ink: #1d1d1f; --faint: #5f6368; --line: #d5d7db;
  --tint-s: 75%; --tint-l: 88%; --deep-s: 65%; --deep-l: 32%; }
@media (prefers-color-scheme: dark) {
  :root { --paper: #17181a; --ink: #e8e8ea; --faint: #a3a7ad; --line: #3a3d42;
    --tint-s: 45%; --tint-l: 21%; --deep-s: 70%; --deep-l: 74%; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1rem; max-width: 60rem; background: var(--paper); color: var(--ink);
  font: 1.0625rem/1.65 system-ui, -apple-system, "Segoe UI", sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.6rem; line-height: 1.25; } h2 { font-size: 1.3rem; margin-top: 2.5rem; }
h3 { font-size: 1.05rem; }
article > h3 { margin-top: 2.25rem; padding-top: .75rem; border-top: 1px solid var(--line); }
p.note { color: var(--faint); font-size: .9rem; }
.unseen { position: absolute; clip-path: inset(50%); }
p.broader { margin: .75rem 0 0; font-size: .9rem; color: var(--faint); }
.mixed { font-weight: 400; font-size: .85em; padding: 0 .4em; border: 1px dashed;
  border-radius: 1em; }
.legend { display: flex; flex-wrap: wrap; gap: .5rem; padding: .5rem 0; margin: 0;
  list-style: none; }
.legend button { font: inherit; font-size: .9rem; line-height: 1.3; text-align: left;
  cursor: pointer; color: inherit; padding: .4rem .7rem; min-height: 2.75rem;
  border: 2px solid transparent; border-radius: .5rem; }
.legend button[aria-pressed="true"] { border-color: var(--deep, var(--ink)); }
.legend small { display: block; color: var(--ink); opacity: .85; }
button:focus-visible, .scroll:focus-visible { outline: 3px solid var(--ink); outline-offset: 2px; }
[data-theme] { --tint: hsl(var(--hue) var(--tint-s) var(--tint-l));
  --deep: hsl(var(--hue) var(--deep-s) var(--deep-l)); }
[data-theme="0"] { --tint: transparent; --deep: var(--faint); }
.legend [data-theme], .sentence { background: var(--tint); }
.sentence { padding: .1em .15em; border-radius: .25em; -webkit-box-decoration-break: clone;
  box-decoration-break: clone; }
.sentence > b, .swatch { color: var(--deep); font-size: .75em; font-weight: 700; }
.sentence > b { vertical-align: .25em; padding-right: .2em; user-select: none; }
.text { white-space: pre-wrap; }
.text h3 { margin: 1.4rem 0 .4rem; }
.chosen .sentence:not(.on), .chosen .point:not(.on) { opacity: .3; }
.sentence.on { text-decoration: underline; text-decoration-color: var(--deep);
  text-underline-offset: .25em; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .9rem; line-height: 1.4; }
th, td { text-align: left; vertical-align: top; padding: .45rem .6rem .45rem 0;
  border-bottom: 1px solid var(--line); overflow-wrap: normal; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; }
th[data-theme] { border-left: .4rem solid var(--deep); padding-left: .5rem; }
td.share { background: color-mix(in srgb, var(--deep) calc(var(--share) * 60%), transparent); }
svg { display: block; width: 100%; max-width: 40rem; height: auto; }
.point circle { fill: var(--deep); stroke: var(--paper); stroke-width: 1; }
.point text { fill: var(--paper); font-size: 10px; font-weight: 700; text-anchor: middle;
  dominant-baseline: central; }
@media (max-width: 40rem) {
  .themes thead { position: absolute; clip-path: inset(50%); }
  .themes tr { display: block; padding: .7rem 0; border-bottom: 1px solid var(--line); }
  .themes th, .themes td, .themes td.number { display: block; text-align: left; border-bottom: 0;
    padding: .1rem 0 .1rem .9rem; }
  .themes td::before { content: attr(data-name) ": "; color: var(--faint); } }
@media print { .legend button { border-color: var(--line); } .text { break-inside: auto; } }
"""

SCRIPT = """
for (const article of document.querySelectorAll("article")) {
  const buttons = [...article.querySelectorAll(".legend button")];
  const marked = [...article.querySelectorAll(".sentence, .point")];
  const status = article.querySelector("[role=status]");
  const choose = (button) => {
    const chosen = button.getAttribute("aria-pressed") !== "true";
    for (const other of buttons)
      other.setAttribute("aria-pressed", String(chosen && other === button));
    article.classList.toggle("chosen", chosen);
    for (const element of marked)
      element.classList.toggle("on", chosen && element.dataset.theme === button.dataset.theme);
    status.textContent = chosen
      ? article.querySelectorAll(".sentence.on").length + " sentences highlighted" : "";
  };
  for (const button of buttons) button.addEventListener("click", () => choose(button));
  article.addEventListener("keydown", (event) => {
    const pressed = buttons.find((button) => button.getAttribute("aria-pressed") === "true");
    if (event.key === "Escape" && pressed) choose(pressed);
  });
}
"""


def content_security_policy() -> str:
    """A policy under which a browser runs this script and no other, and loads nothing."""
    digest = base64.b64encode(hashlib.sha256(SCRIPT.encode("utf8")).digest()).decode("ascii")
    return f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'"


def hue(number: int) -> int:
    """The hue of a theme in degrees; neighbours in number are far apart in colour."""
    return round(212 + (number - 1) * 137.508) % 360


def theme_attributes(number: int, share: float | None = None) -> str:
    """The attributes of an element that has a theme's colour; `share`, 0 to 1, is its strength."""
    strength = "" if share is None else f";--share:{share:.2f}"
    return f'data-theme="{number}" style="--hue:{hue(number)}{strength}"'
