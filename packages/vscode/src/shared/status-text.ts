import type { DocumentSummary } from './policy-server.ts';

/** What the status bar shows about the active document. */
export interface Status {
  readonly summary: DocumentSummary;
  readonly errors: number;
  readonly warnings: number;
  readonly isTrusted: boolean;
  /** Version of the server. */
  readonly version: string | undefined;
  /** `bundled` or `workspace`. */
  readonly origin: string;
}

/** A status bar item as data. */
interface StatusText {
  /** With icons in VS Code's notation. */
  readonly text: string;
  /** Markdown. */
  readonly tooltip: string;
  /** For screen readers. */
  readonly label: string;
  readonly level: 'error' | 'warning' | 'none';
}

const KINDS: Readonly<Record<DocumentSummary['kind'], string>> = {
  policy: 'traffic policy',
  tests: 'policy tests',
  invariants: 'invariants',
  edge: 'edge with policies',
  project: 'project settings',
  embedding: 'file with policies',
  other: 'other file',
};

/** Returns what the status bar shows; undefined for a document that is not ours. */
export function statusText(status: Status): StatusText | undefined {
  const { summary, errors, warnings, isTrusted } = status;
  if (summary.kind === 'other') return undefined;
  const profiles = [...new Set(summary.targets.map(({ profile }) => profile))];
  const name = profiles.length > 0 ? profiles.join(', ') : KINDS[summary.kind];
  const found = [counted(errors, 'error'), counted(warnings, 'warning')].filter(one => one !== '');
  const icons = [errors > 0 && `$(error) ${errors}`, warnings > 0 && `$(warning) ${warnings}`].filter(Boolean);
  const restricted = isTrusted ? [] : ['$(workspace-untrusted)'];
  return {
    text: ['$(milestone)', ...restricted, name, ...(icons.length > 0 ? icons : ['$(check)'])].join(' '),
    tooltip: tooltip(status, found),
    label: `Tollgate: ${name}, ${found.join(', ') || 'no findings'}${isTrusted ? '' : ', restricted mode'}`,
    level: summary.failures.length > 0 && isTrusted ? 'warning' : 'none',
  };
}

function tooltip({ summary, isTrusted, version, origin }: Status, found: readonly string[]): string {
  const { kind, targets, project, failures } = summary;
  const facts = [
    `**${capitalized(KINDS[kind])}** · ${found.join(', ') || 'no findings'}`,
    ...targets.map(({ profile, endpoint }) => `profile \`${profile}\`, endpoint \`${endpoint}\``),
    project === null ? 'no `tollgate.yaml`' : `settings: \`${project}\``,
    ...(isTrusted
      ? []
      : ['**Restricted mode**: extension modules and custom lint rules do not run; trust the workspace to run them']),
    ...failures.map(failure => `$(warning) ${escaped(failure)}`),
    `${origin} server${version === undefined ? '' : ` ${version}`}`,
  ];
  return facts.join('\n\n');
}

function counted(count: number, noun: string): string {
  return count === 0 ? '' : `${count} ${noun}${count === 1 ? '' : 's'}`;
}

function capitalized(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

/** Messages name files, and a file's name must not become a link or an image. Code in backticks stays code. */
function escaped(text: string): string {
  return text.replace(/[\\*_{}[\]()#+!|<>$]/g, '\\$&');
}
