// The page of a code, for terminals and in Markdown: what it means, an example with what is found in it, and how to suppress it.

import { EDGE_V2, MODERN, PROFILES, type Profile, phasesAt, REFUSALS, sampleActivation } from '@tollgate/catalog';
import { type Activation, compileClosures, EvaluationError } from '@tollgate/cel';
import { inlineBodies } from '@tollgate/cel/tooling';
import {
  type CodeExample,
  type CodeKind,
  type Diagnostic,
  displayWidth,
  InternalError,
  type Paint,
  printable,
  type Range,
  SourceText,
} from '@tollgate/diagnostics';
import {
  activate,
  createLinter,
  type LintExample,
  type LintRule,
  LOWERABLE,
  lintExample,
  lintedText,
  unmark,
} from '@tollgate/lint';
import {
  analyzePolicies,
  checkCondition,
  createPhaseEnvironments,
  detectProfile,
  migratePolicy,
  readExtension,
  readProject,
  readTests,
  sharedVariables,
} from '@tollgate/policy';
import type { CodePage } from './code-page.ts';
import { formatCount } from './text/figures.ts';
import { wrapText } from './text/layout.ts';

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
function refusalNotes({ refusals = [] }: CodePage): readonly string[] {
  return REFUSALS.filter(({ number }) => refusals.includes(number)).map(
    ({ number, when, limits }) => `\`ERR_NGROK_${number}\`: ${when}${limits === undefined ? '' : ` (${limits})`}`,
  );
}

/** The language of an example, for highlighting. */
function exampleLanguage({ kind, text }: CodeExample): string {
  if (kind === 'expression') return 'cel';
  if (kind === 'command') return 'sh';
  if (kind === 'traffic') return text.startsWith('{') ? 'json' : 'text';
  return kind === 'json' ? 'json' : 'yaml';
}

/** Returns what the source of an example does not show, in words; empty if there is nothing. */
function exampleNotes(
  { kind, profile, endpoint, stands }: CodeExample,
  usual: Profile['name'] = EDGE_V2.name,
): readonly string[] {
  const written = profile ?? (kind === 'expression' ? EDGE_V2.name : usual);
  return [
    ...(written === usual ? [] : [`in the profile \`${written}\``]),
    ...(endpoint === undefined ? [] : [`at \`${endpoint}\``]),
    ...(kind === 'migration' ? ['migrated to `modern`'] : []),
    ...(stands
      ? [
          `\`${stands.mark}\` stands for ${formatCount(stands.times)} repetitions of \`${stands.for.trim().replaceAll('\n', '⏎')}\``,
        ]
      : []),
  ];
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
function suppressions({ code, kind = 'diagnostic', severity, rule }: CodePage): readonly Suppression[] {
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

/** The diagnostics for an example, or the error of evaluating it. */
export type ExampleFinding = Pick<Diagnostic, 'code' | 'message'> & Partial<Pick<Diagnostic, 'severity' | 'range'>>;

/**
 * Checks an example; for a lint rule, only its own findings are returned. Examples of traffic and commands have none, because they would
 * have to be run.
 */
export function exampleFindings(
  example: CodeExample,
  { rule }: Pick<CodePage, 'rule'> = {},
): readonly ExampleFinding[] {
  const source = new SourceText(example.kind === 'json' ? 'example.json' : 'example.yaml', fullText(example));
  if (rule) return lintFindings(example, rule);
  switch (example.kind) {
    case 'policy':
    case 'json':
      return analyzePolicies(source, targetOf(source, example)).diagnostics;
    case 'expression':
      return expressionFindings(source.text, targetOf(source, { ...example, profile: example.profile ?? 'edge-v2' }));
    case 'extension':
      return readExtension(source).diagnostics;
    case 'project':
      return readProject(source).diagnostics;
    case 'tests':
      return readTests(source).diagnostics;
    case 'migration':
      return migrationFindings(source, example);
    case 'traffic':
    case 'command':
      return [];
  }
}

/** Returns the findings for an example that have the code of the page. */
function ownFindings(example: CodeExample, page: CodePage): readonly ExampleFinding[] {
  return exampleFindings(example, page).filter(({ code }) => code === page.code);
}

/** Returns the source with its placeholder filled in. */
export function fullText({ text, stands }: CodeExample): string {
  return stands ? text.replaceAll(stands.mark, stands.for.repeat(stands.times)) : text;
}

function targetOf({ text }: SourceText, { profile: name, endpoint }: CodeExample) {
  const profile = PROFILES.find(one => one.name === name) ?? detectProfile(text).profile;
  return { profile, endpoint: profile.endpoints.find(one => one === endpoint) ?? profile.endpoints[0]! };
}

/** The examples of a lint rule contain more than their source. */
function lintFindings({ text }: CodeExample, rule: NonNullable<CodePage['rule']>) {
  const linter = createLinter([activate(rule, rule.bad.options)]);
  const whole = [rule.bad, rule.good].find(one => unmark(lintedText(one)).text === text);
  return whole ? lintExample(whole, linter).filter(one => one.code === rule.id) : [];
}

/** Checks the expression as a condition and, if it has no errors, evaluates it with sample values. */
function expressionFindings(
  text: string,
  { profile, endpoint }: ReturnType<typeof targetOf>,
): readonly ExampleFinding[] {
  const phase = phasesAt(profile, endpoint).find(one => /inbound|request/.test(one));
  if (phase === undefined) throw new InternalError(`\`${profile.name}\` has no phase of requests on \`${endpoint}\``);
  const environment = createPhaseEnvironments(profile, endpoint)[phase];
  const { typed, diagnostics } = checkCondition(text, { profile, place: { endpoint, phase }, environment });
  if (!typed) return diagnostics;
  const activation = sampleActivation(profile, { endpoint, phase }) as Activation;
  const value = compileClosures(inlineBodies(typed, environment), environment).evaluate(activation);
  return [...diagnostics, ...(value instanceof EvaluationError ? [{ code: value.code, message: value.message }] : [])];
}

function migrationFindings(source: SourceText, { endpoint }: CodeExample): readonly ExampleFinding[] {
  const { profile } = detectProfile(source.text);
  const known = profile.endpoints.find(one => one === endpoint) ?? profile.endpoints[0]!;
  return migratePolicy(source, { from: profile, to: MODERN, endpoint: known as Profile['endpoints'][number] })
    .diagnostics;
}

/** Colours and width of a page. */
interface PageStyle {
  readonly paint: Paint;
  readonly width?: number | undefined;
}

const MAX_WIDTH = 100;
const INDENT = '  ';

/** Renders the page of a code for a terminal. */
export function terminalPage(page: CodePage, { paint, width = 80 }: PageStyle): string {
  const { code, severity, summary, rationale, remedy, bad, good, withoutExample } = page;
  const room = Math.min(width, MAX_WIDTH) - INDENT.length;
  const prose = (text: string) =>
    wrapText(text, room)
      .map(line => INDENT + highlight(line, paint))
      .join('\n');
  const suppressed = suppressions(page).map(
    ({ text, where }) => `${INDENT}${text}\n${INDENT}${INDENT}${highlight(where, paint)}`,
  );
  const refused = refusalNotes(page);
  const parts = [
    `${paint(severity, code)}\n${INDENT}${paint('strong', summary)}\n${prose(pageStatus(page))}`,
    prose(rationale),
    ...(remedy === undefined ? [] : [prose(remedy)]),
    ...(refused.length === 0 ? [] : [`${INDENT}The service rejects it with:\n${refused.map(prose).join('\n')}`]),
    ...(bad ? [badSection(page, bad, { paint, width: room })] : []),
    ...(good ? [`${paint('hint', 'Good')}${notesOf(good)}\n\n${textWithNumbers(good, paint)}`] : []),
    ...(withoutExample === undefined ? [] : [prose(`There is no example: ${withoutExample}.`)]),
    ...(suppressed.length === 0 ? [] : [`${paint('strong', 'Suppress')}\n\n${suppressed.join('\n')}`]),
  ];
  return `${parts.join('\n\n')}\n`;
}

/** Matches code in backticks, and emphasis. */
function highlight(line: string, paint: Paint): string {
  return line
    .replaceAll(/`[^`]+`/g, quoted => paint('info', quoted))
    .replaceAll(/(?<![\w*/`])\*(\w+)\*(?![\w*/`])/g, (_, word: string) => paint('strong', word));
}

function notesOf(example: CodeExample, usual?: Profile['name']): string {
  const notes = exampleNotes(example, usual);
  return notes.length === 0 ? '' : ` (${notes.join(', ')})`;
}

function badSection(page: CodePage, example: CodeExample, look: Required<PageStyle>): string {
  const found = ownFindings(example, page);
  const [first] = found;
  const title = `${look.paint('error', 'Bad')}${notesOf(example)}`;
  const ranges = example.stands ? [] : found.flatMap(({ range }) => range ?? []);
  const text = textWithNumbers(example, look.paint, ranges);
  if (!first) return `${title}\n\n${text}`;
  const message = wrapText(
    `${first.severity ?? 'error'}: ${printable(first.message)}`,
    (look.width ?? 80) - INDENT.length,
  );
  return `${title}\n\n${text}\n\n${message.map(line => INDENT + highlight(line, look.paint)).join('\n')}`;
}

/** Renders the source with line numbers, and carets below the start of each range. */
function textWithNumbers({ text }: CodeExample, paint: Paint, ranges: readonly Range[] = []): string {
  const source = new SourceText('example', text.replace(/\n$/, ''));
  const gutter = String(source.lineCount).length;
  const lines = Array.from({ length: source.lineCount }, (_, line) => {
    const bounds = source.lineRange(line);
    const shown = printable(source.text.slice(bounds.start, bounds.end));
    const numbered = `${INDENT}${paint('frame', `${String(line + 1).padStart(gutter)} |`)} ${shown}`.trimEnd();
    const carets = caretsUnder(source.text, bounds, ranges);
    return carets === ''
      ? numbered
      : `${numbered}\n${INDENT}${paint('frame', `${' '.repeat(gutter)} |`)} ${paint('error', carets)}`;
  });
  return lines.join('\n');
}

function caretsUnder(text: string, line: Range, ranges: readonly Range[]): string {
  let carets = '';
  for (const { start, end } of ranges.toSorted((a, b) => a.start - b.start)) {
    if (start < line.start || start > line.end) continue;
    const before = displayWidth(printable(text.slice(line.start, start)));
    if (before < carets.length) continue;
    const under = displayWidth(printable(text.slice(start, Math.min(end, line.end))));
    carets = carets.padEnd(before) + '^'.repeat(Math.max(1, under));
  }
  return carets;
}

/** Renders the page of a code in Markdown, under a second-level heading. Examples in the usual profile do not say so. */
export function markdownPage(page: CodePage, usual: Profile['name'] = EDGE_V2.name): string {
  const { code, summary, rationale, remedy, bad, good, withoutExample, rule } = page;
  const parts = [
    `## ${code}`,
    `*${pageStatus(page)}* · ${summary}`,
    rationale,
    ...(remedy === undefined ? [] : [remedy]),
    ...refusalSection(page),
    ...(bad ? [`Bad${notesOf(bad, usual)}:`, block(bad), ...messages(page, bad)] : []),
    ...(good ? [`Good${notesOf(good, usual)}:`, block(good)] : []),
    ...(withoutExample === undefined ? [] : [`No example: ${withoutExample}.`]),
    ...(rule?.options ?? []).map(
      ({ name, default: value, doc }) => `Option \`${name}\`, by default \`${JSON.stringify(value)}\`: ${doc}`,
    ),
    ...suppressions(page).map(({ text, where }) => `Suppressed by \`${text}\` ${where}.`),
  ];
  return `${parts.join('\n\n')}\n`;
}

function refusalSection(page: CodePage): readonly string[] {
  const found = refusalNotes(page);
  return found.length === 0 ? [] : ['The service rejects it with:', found.map(note => `- ${note}`).join('\n')];
}

function block(example: CodeExample): string {
  const lines = example.text
    .replace(/\n$/, '')
    .split('\n')
    .map(line => printable(line).toWellFormed());
  return [`\`\`\`${exampleLanguage(example)}`, ...lines, '```'].join('\n');
}

/** Returns the first finding for the bad example. */
function messages(page: CodePage, example: CodeExample): readonly string[] {
  const [first] = ownFindings(example, page);
  return first ? [`> ${first.severity ?? 'error'}: ${clip(first.message)}`] : [];
}

function clip(message: string): string {
  return printable(message.length > 300 ? `${message.slice(0, 300)}…` : message);
}

// The page of a code with its examples in another profile: the one in use, not the one in which they were written first.

/**
 * Returns a page whose examples are written in a profile, as far as they can be: each one is rewritten, and kept only if the bad example still has
 * the finding that the page is about, and the good one has none. Other examples stay, and the page names their profile.
 */
export function pageIn(page: CodePage, profile: Profile): CodePage {
  if (profile.name !== MODERN.name || page.rule?.bad.isEdge || page.rule?.bad.tests !== undefined) return page;
  const { bad, good } = page;
  const [isBad, isGood] = [bad, good].map(one => one !== undefined && isOlder(one, profile));
  if (!isBad && !isGood) return page;
  const rewritten: CodePage = {
    ...page,
    ...(bad && isBad && { bad: exampleIn(bad, profile) }),
    ...(good && isGood && { good: exampleIn(good, profile) }),
    ...(page.rule && { rule: ruleIn(page.rule, profile) }),
  };
  return isSound(rewritten, page) ? rewritten : page;
}

/** Returns true for a policy or an expression in another profile. */
function isOlder({ kind, text, profile }: CodeExample, wanted: Profile): boolean {
  if (kind !== 'policy' && kind !== 'expression') return false;
  const own = profile ?? (kind === 'policy' ? detectProfile(text).profile.name : EDGE_V2.name);
  return own !== wanted.name;
}

function isSound(page: CodePage, before: CodePage): boolean {
  const has = (one: CodeExample | undefined, of: CodePage) =>
    one !== undefined && exampleFindings(one, of).some(({ code }) => code === page.code);
  const errors = (one: CodeExample | undefined, of: CodePage) =>
    one === undefined ? 0 : exampleFindings(one, of).filter(({ severity = 'error' }) => severity === 'error').length;
  return (
    has(page.bad, page) === has(before.bad, before) &&
    errors(page.bad, page) <= errors(before.bad, before) &&
    !has(page.good, page) &&
    errors(page.good, page) === 0
  );
}

function exampleIn({ endpoint: _, ...example }: CodeExample, profile: Profile): CodeExample {
  return { ...example, text: textIn(example.text, profile), profile: profile.name };
}

function ruleIn(rule: LintRule, profile: Profile): LintRule {
  const inProfile = (one: LintExample): LintExample =>
    one.profile === 'modern' ? one : { ...one, policy: textIn(one.policy, profile), profile: 'modern' };
  return { ...rule, bad: inProfile(rule.bad), good: inProfile(rule.good) };
}

const PHASES: Readonly<Record<string, string>> = { inbound: 'on_http_request', outbound: 'on_http_response' };

/** Rewrites the names of phases and variables, also misspelt ones, which a migration would refuse. */
function textIn(text: string, profile: Profile): string {
  const renamed = sharedVariables(EDGE_V2, profile)?.renamed;
  return text
    .replace(/\b(?:inbound|outbound)(?=["']?\s*:)/g, phase => PHASES[phase] ?? phase)
    .replace(/\b(?:req|res|conn)(?:\.[A-Z]\w*)+/g, path => {
      const known = renamed?.get(path);
      if (known !== undefined) return known;
      const [root, ...fields] = path.split('.');
      return [root, ...fields.map(snakeCase)].join('.');
    });
}

function snakeCase(name: string): string {
  return name.replace(/(?<=[a-z\d])(?=[A-Z])/g, '_').toLowerCase();
}
