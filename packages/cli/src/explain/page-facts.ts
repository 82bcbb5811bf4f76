import type { CodeExample, CodeKind } from '@tollgate/diagnostics';
import type { CodePage } from './code-table.ts';

const KINDS: Readonly<Record<CodeKind, string>> = {
  diagnostic: '',
  'evaluation-error': 'an error of running an expression',
  'skipped-record': 'why a record of traffic is skipped',
  failure: 'ends the command with exit code 3',
};

/** In few words what a code is: `warning, a lint rule of the presets recommended and strict, fixed by --fix`. */
export function pageStatus({ kind = 'diagnostic', severity, rule }: CodePage): string {
  if (kind !== 'diagnostic') return KINDS[kind];
  if (!rule) return severity;
  const own = rule.severity === 'off' ? 'off unless asked for' : severity;
  const presets = rule.presets.length > 0 ? ` (${rule.presets.join(', ')})` : '';
  return [own, `lint rule${presets}`, ...FIXABLE[rule.fixable]].join(', ');
}

const FIXABLE = {
  no: [],
  safe: ['mended by `--fix`'],
  unsafe: ['mended by `--unsafe-fixes`'],
  suggestion: ['with a suggestion'],
} as const;

/** What the text of an example is, for highlighting. */
export function exampleLanguage({ kind, text }: CodeExample): string {
  if (kind === 'expression') return 'cel';
  if (kind === 'command') return 'sh';
  if (kind === 'traffic') return text.startsWith('{') ? 'json' : 'text';
  return kind === 'json' ? 'json' : 'yaml';
}

/** What is to be known about an example beside its text, in words; empty where there is nothing. */
export function exampleNotes({ kind, profile, endpoint, stands }: CodeExample): readonly string[] {
  return [
    ...(profile === undefined || profile === 'edge-v2' ? [] : [`in the profile \`${profile}\``]),
    ...(endpoint === undefined ? [] : [`at \`${endpoint}\``]),
    ...(kind === 'migration' ? ['migrated to `modern`'] : []),
    ...(stands ? [`\`${stands.mark}\` stands for ${count(stands.times)} times \`${shown(stands.for)}\``] : []),
  ];
}

function count(times: number): string {
  return times.toLocaleString('en');
}

function shown(text: string): string {
  return text.trim().replaceAll('\n', '⏎');
}

/** How to turn a lint rule off, in one place and in all. */
export function suppression({ code, rule }: CodePage): readonly string[] {
  if (!rule) return [];
  return [`# tollgate-ignore ${code} -- why it is right here`, `lint: { rules: { ${code}: off } }`];
}
