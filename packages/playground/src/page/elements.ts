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

// Reports of the command in the page: their terminal colours as elements. What a report says about traffic is text and nothing else.

/** Classes of the styles of `ANSI` in `@tollgate/diagnostics`, by their codes. */
const CLASSES: Readonly<Record<string, string>> = {
  '1;31': 'error',
  '1;33': 'warning',
  '1;36': 'info',
  '1;32': 'hint',
  '34': 'frame',
  '1': 'strong',
  '2': 'faint',
};

/** Larger reports are cut: laying out more text takes longer than the page may be frozen. */
const MAX_LENGTH = 200_000;

/** Shows a report. */
export function showReport(target: HTMLElement, report: string): void {
  const text = report.length > MAX_LENGTH ? `${report.slice(0, MAX_LENGTH)}\n… (cut)` : report;
  const parts: (Node | string)[] = [];
  let style: string | undefined;
  for (const [index, part] of text.split(/\u001b\[([\d;]*)m/).entries()) {
    if (index % 2 === 1) style = Object.hasOwn(CLASSES, part) ? CLASSES[part] : undefined;
    else if (part !== '') parts.push(style === undefined ? part : spanOf(part, style));
  }
  target.replaceChildren(...parts);
}

function spanOf(text: string, style: string): HTMLElement {
  const span = document.createElement('span');
  span.className = `style-${style}`;
  span.textContent = text;
  return span;
}

/** Returns how many columns of a report fit into an element. */
export function columnsOf(element: HTMLElement): number {
  const probe = document.createElement('span');
  probe.textContent = '0'.repeat(100);
  probe.style.visibility = 'hidden';
  probe.style.position = 'absolute';
  element.append(probe);
  const width = probe.getBoundingClientRect().width / 100;
  probe.remove();
  const room = element.clientWidth - 2 * Number.parseFloat(getComputedStyle(element).paddingLeft || '0');
  return width === 0 || room <= 0 ? 80 : Math.max(30, Math.min(160, Math.floor(room / width)));
}
