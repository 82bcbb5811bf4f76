import { type Content, element, type Html } from './html.ts';

/** What a page of the results panel needs from the editor. */
export interface PageSurroundings {
  /** Source that the content-security policy allows for style sheets. */
  readonly styleSource: string;
  /** Address of the style sheet. */
  readonly styleSheet: string;
}

/** Commands that links in pages may run. */
export const LINK_COMMANDS = ['tollgate.openLocation', 'tollgate.openRule', 'tollgate.explainCode'] as const;

/** Returns a whole page. It has no scripts and no inline styles, and loads nothing but its style sheet. */
export function renderPage(title: string, content: Content, { styleSource, styleSheet }: PageSurroundings): string {
  const policy = `default-src 'none'; style-src ${styleSource}; form-action 'none'; base-uri 'none'`;
  const head = element(
    'head',
    {},
    element('meta', { charset: 'utf-8' }),
    element('meta', { 'http-equiv': 'Content-Security-Policy', content: policy }),
    element('meta', { name: 'viewport', content: 'width=device-width, initial-scale=1' }),
    element('title', {}, title),
    element('link', { rel: 'stylesheet', href: styleSheet }),
  );
  const body = element('body', {}, element('main', {}, content));
  return `<!DOCTYPE html>\n${element('html', { lang: 'en' }, head, body).markup}\n`;
}

/** Returns a link that runs a command of ours. */
export function commandLink(command: (typeof LINK_COMMANDS)[number], args: readonly unknown[], text: Content): Html {
  return element('a', { href: `command:${command}?${encodeURIComponent(JSON.stringify(args))}` }, text);
}

/** The file that a page is about. */
export interface Subject {
  /** Path for links. */
  readonly file: string;
  /** Address of the policy in the file; empty if the file is the policy. */
  readonly part: string;
  /** Name for people, such as the path in the workspace. */
  readonly label: string;
}

/** Returns a heading with the file that the page is about. */
export function heading(what: string, { label }: Pick<Subject, 'label'>, ...rest: readonly Content[]): Html {
  return element('header', {}, element('h1', {}, what), element('p', { class: 'subject' }, label, ...rest));
}

/** Returns a link that opens a rule, from 1 in its phase. */
export function ruleLink({ file, part }: Subject, phase: string, number: number, text: Content): Html {
  return commandLink('tollgate.openRule', [file, phase, number, part], text);
}

/** Returns the name of a rule: `inbound 2 · no scanners`. */
export function ruleTitle({
  phase,
  number,
  name,
}: {
  phase: string;
  number: number;
  name?: string | undefined;
}): string {
  return `${phase} ${number}${name === undefined ? '' : ` · ${name}`}`;
}
