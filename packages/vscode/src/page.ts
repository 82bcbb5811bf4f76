/**
 * What all pages of the results panel are made of: escaped markup, the frame of a page, bars and figures, and the page of a run that failed.
 * Pages have no scripts.
 */

/** Markup that is safe to show: all strings in it are escaped. */
export interface Html {
  readonly markup: string;
}

/** What an element may contain; strings are text. */
export type Content = Html | string | number | undefined | readonly Content[];

type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

const VOID = ['br', 'hr', 'meta', 'link'];

/** Returns an element. An attribute that is `true` has no value; one that is `false` or undefined is left out. */
export function element(name: string, attributes: Attributes, ...content: readonly Content[]): Html {
  const given = Object.entries(attributes).flatMap(([key, value]) => {
    if (value === undefined || value === false) return [];
    return [value === true ? ` ${key}` : ` ${key}="${escapeText(String(value))}"`];
  });
  const start = `<${name}${given.join('')}>`;
  return { markup: VOID.includes(name) ? start : `${start}${markupOf(content)}</${name}>` };
}

/** Joins parts without an element around them. */
export function fragment(...content: readonly Content[]): Html {
  return { markup: markupOf(content) };
}

/** Returns a string as it is shown between tags and in attributes. */
function escapeText(text: string): string {
  return text.replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`);
}

function markupOf(content: Content): string {
  if (content === undefined) return '';
  if (typeof content === 'string' || typeof content === 'number') return escapeText(String(content));
  return 'markup' in content ? content.markup : content.map(markupOf).join('');
}

/** What a page of the results panel needs from the editor. */
interface PageSurroundings {
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

/** Width of a bar, in units of its drawing, which is as wide as its place. */
const FULL = 1000;

/** A number that may be uncertain. */
export interface Bounds {
  readonly least: number;
  readonly most: number;
}

/** Returns a bar for a share. Inline styles are forbidden, so bars are drawings. The lighter part is uncertain. */
export function bar({ least, most }: Bounds, total: number): Html {
  const width = (count: number) => (total === 0 ? 0 : Math.round((count / total) * FULL));
  const part = (kind: string, x: number, length: number) =>
    element('rect', { class: kind, x, y: 0, width: length, height: 1 });
  return element(
    'svg',
    {
      ...{ class: 'bar', viewBox: `0 0 ${FULL} 1`, preserveAspectRatio: 'none' },
      ...{ role: 'img', 'aria-label': `${boundsText({ least, most })} of ${shown(total)}` },
    },
    part('rest', 0, FULL),
    part('least', 0, width(least)),
    part('most', width(least), width(most) - width(least)),
  );
}

/** Returns a number that may be uncertain: `1,200 – 2,000`. */
export function boundsText({ least, most }: Bounds): string {
  return least === most ? shown(least) : `${shown(least)} – ${shown(most)}`;
}

/** Returns a number with separators. */
export function shown(count: number): string {
  return count.toLocaleString('en');
}

/** Returns a number with its noun. */
export function counted(count: number, noun: string): string {
  return `${shown(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** A run of the command that has no result. */
interface FailedRun {
  /** What was tried, such as `Trace`. */
  readonly what: string;
  readonly subject: Subject;
  readonly output: string;
  readonly errors: string;
  readonly isTrusted: boolean;
}

interface PrintedFinding {
  readonly code: string;
  readonly severity: string;
  readonly message: string;
  readonly uri: string;
  readonly range: { readonly from: { readonly line: number; readonly character: number } };
}

/** Returns a page that says why there is no result: the errors of the policy, or what the command printed. */
export function failurePage({ what, subject, output, errors, isTrusted }: FailedRun): Html {
  const findings = findingsIn(output).filter(({ severity }) => severity === 'error');
  if (findings.length === 0)
    return fragment(
      heading(what, subject),
      /`TOLLGATE_TRUST=0`/.test(errors) && !isTrusted
        ? element(
            'p',
            {},
            'This workspace is not trusted, so its code does not run. Trust the workspace if you know its authors.',
          )
        : undefined,
      element('pre', { class: 'failure' }, errors || output),
    );
  return fragment(
    heading(what, subject),
    element('p', { class: 'failure' }, 'The policy has errors; fix them first.'),
    element('ul', { class: 'findings' }, findings.map(findingItem)),
  );
}

function findingItem({ code, message, uri, range: { from } }: PrintedFinding): Html {
  return element(
    'li',
    {},
    commandLink('tollgate.openLocation', [uri, from.line, from.character], `line ${from.line + 1}`),
    ' ',
    message,
    ' ',
    commandLink('tollgate.explainCode', [code], element('code', {}, code)),
  );
}

/** Returns the report that a command printed; undefined if it printed none, or only the errors of the policy. */
export function reportIn<Report>(output: string): Report | undefined {
  if (findingsIn(output).some(({ severity }) => severity === 'error')) return undefined;
  try {
    return JSON.parse(output) as Report;
  } catch {
    return undefined;
  }
}

function findingsIn(output: string): readonly PrintedFinding[] {
  try {
    return (JSON.parse(output) as { readonly diagnostics?: readonly PrintedFinding[] }).diagnostics ?? [];
  } catch {
    return [];
  }
}
