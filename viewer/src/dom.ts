// Elements without markup in strings: names from a scenario are only ever text.

type Attributes = Record<string, string | number | boolean | ((event: Event) => void) | undefined>;

/** Makes an element; functions become listeners, `true` an empty attribute. */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    if (typeof value === "function") made.addEventListener(name, value);
    else made.setAttribute(name, value === true ? "" : String(value));
  }
  made.append(...children);
  return made;
}

/** A button with a label for everybody and a hint on its key. */
export function button(text: string, label: string, click: () => void, key?: string): HTMLButtonElement {
  const title = key ? `${label} (${key})` : label;
  return element("button", { type: "button", "aria-label": label, title, click }, text);
}

/** A check box inside its label. */
export function checkbox(text: string, checked: boolean, change: (on: boolean) => void, title?: string): HTMLLabelElement {
  const box = element("input", { type: "checkbox", change: () => change(box.checked) });
  box.checked = checked;
  return element("label", { class: "check", title }, box, element("span", {}, text));
}
