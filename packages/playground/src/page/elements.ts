// Small builders of elements. Text is always text.

type Attributes = Readonly<Record<string, string | boolean | undefined>>;

/** Returns an element with attributes and children; an attribute that is undefined or false is left out. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    made.setAttribute(key, value === true ? '' : value);
  }
  made.append(...children);
  return made;
}

/** Returns a button. */
export function button(label: string, onClick: () => void, attributes: Attributes = {}): HTMLButtonElement {
  const made = element('button', { type: 'button', ...attributes }, label);
  made.addEventListener('click', onClick);
  return made;
}

/** Returns a field with its label. */
export function labelled(label: string, field: HTMLElement): HTMLLabelElement {
  return element('label', {}, element('span', {}, label), field);
}

/** Returns the element of the page with an id. */
export function byId(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no element #${id}`);
  return found;
}

/** A list of choices. */
export interface Choice {
  readonly value: string;
  readonly label: string;
}

/** Replaces the choices of a list, and keeps the chosen one if it still exists. */
export function setChoices(select: HTMLSelectElement, choices: readonly Choice[], preferred?: string): void {
  const before = preferred ?? select.value;
  select.replaceChildren(...choices.map(({ value, label }) => element('option', { value }, label)));
  if (choices.some(({ value }) => value === before)) select.value = before;
}

/** Makes a row of tabs: one can be reached by Tab, the others by arrow keys (ARIA Authoring Practices, tabs). */
export function tabKeys(list: HTMLElement): void {
  list.addEventListener('keydown', event => {
    const tabs = [...list.querySelectorAll<HTMLElement>('[role=tab]')];
    const at = tabs.findIndex(one => one.matches(':focus'));
    if (at < 0) return;
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const next = tabs.at(to % tabs.length);
    next?.focus();
    next?.click();
  });
}
