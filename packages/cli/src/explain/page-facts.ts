import { REFUSALS } from '@tollgate/catalog';
import type { CodeExample, CodeKind } from '@tollgate/diagnostics';
import { LOWERABLE } from '@tollgate/lint';
import type { CodePage } from '../output/rule-description.ts';

const KINDS: Readonly<Record<CodeKind, string>> = {
  diagnostic: '',
  'evaluation-error': 'evaluation error',
  'skipped-record': 'reason for skipping a recorded exchange',
  failure: 'ends the command with exit code 3',
};

/** Returns what a code is in a few words: `warning, a lint rule of the presets recommended and strict, fixed by --fix`. */
export function pageStatus({ kind = 'diagnostic', severity, rule }: CodePage): string {
  if (kind !== 'diagnostic') return KINDS[kind];
  if (!rule) return severity;
  const severityText = rule.severity === 'off' ? 'off by default' : severity;
  const presets = rule.presets.length > 0 ? ` (${rule.presets.join(', ')})` : '';
  return [severityText, `lint rule${presets}`, ...FIXABLE[rule.fixable]].join(', ');
}

const FIXABLE = {
  no: [],
  safe: ['fixed by `--fix`'],
  unsafe: ['fixed by `--unsafe-fixes`'],
  suggestion: ['with a suggestion'],
} as const;

/** Returns a sentence for each error of the service that the code predicts, with its number. */
export function refusalNotes({ refusals = [] }: CodePage): readonly string[] {
  return REFUSALS.filter(({ number }) => refusals.includes(number)).map(
    ({ number, when, limits }) => `\`ERR_NGROK_${number}\`: ${when}${limits === undefined ? '' : ` (${limits})`}`,
  );
}

/** The language of an example, for highlighting. */
export function exampleLanguage({ kind, text }: CodeExample): string {
  if (kind === 'expression') return 'cel';
  if (kind === 'command') return 'sh';
  if (kind === 'traffic') return text.startsWith('{') ? 'json' : 'text';
  return kind === 'json' ? 'json' : 'yaml';
}

/** Returns what the source of an example does not show, in words; empty if there is nothing. */
export function exampleNotes({ kind, profile, endpoint, stands }: CodeExample): readonly string[] {
  return [
    ...(profile === undefined || profile === 'edge-v2' ? [] : [`in the profile \`${profile}\``]),
    ...(endpoint === undefined ? [] : [`at \`${endpoint}\``]),
    ...(kind === 'migration' ? ['migrated to `modern`'] : []),
    ...(stands ? [`\`${stands.mark}\` stands for ${count(stands.times)} repetitions of \`${shown(stands.for)}\``] : []),
  ];
}

function count(times: number): string {
  return times.toLocaleString('en');
}

function shown(text: string): string {
  return text.trim().replaceAll('\n', '⏎');
}

/** The comment or setting that suppresses a finding. */
interface Suppression {
  readonly text: string;
  readonly where: string;
}

/**
 * Returns how to suppress findings of a code. Most errors of the analysis cannot be suppressed, because the service would reject the policy
 * anyway; some can be downgraded, because the edge may support more than the catalog lists.
 */
export function suppressions({ code, kind = 'diagnostic', severity, rule }: CodePage): readonly Suppression[] {
  if (kind !== 'diagnostic' || /^(?:settings|test)\//.test(code)) return [];
  if (!rule && severity === 'error') {
    if (!LOWERABLE.has(code)) return [];
    return [
      { text: `lint: { rules: { ${code}: warning } }`, where: 'in `tollgate.yaml`, lowers it for `tollgate lint`' },
    ];
  }
  return [
    {
      text: `# tollgate-ignore ${code} -- reason`,
      where: 'in the policy, at the end of the line or on the line before',
    },
    { text: `lint: { rules: { ${code}: off } }`, where: 'in `tollgate.yaml`, everywhere' },
  ];
}
