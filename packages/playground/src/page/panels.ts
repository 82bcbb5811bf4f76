// The tabs: what each of them asks for, and the job that it runs.

import type { Job } from '../jobs.ts';
import type { PlaygroundFile } from '../permalink.ts';
import { button, type Choice, element, labelled, setChoices } from './elements.ts';

/** What the page shows at the moment. */
interface PageFiles {
  readonly files: readonly PlaygroundFile[];
  readonly active: string;
}

/** What all jobs share. */
type JobBasis = Pick<Job, 'files' | 'profile' | 'width' | 'now' | 'seed'>;

/** What a panel needs of the page. */
export interface PanelContext {
  /** Called when an input has changed, so that the result is out of date. */
  readonly changed: () => void;
  /** Adds a file to the project, and shows it. */
  readonly addFile: (file: PlaygroundFile) => void;
}

/** A tab. */
export interface PanelView {
  readonly id: string;
  readonly label: string;
  readonly form: HTMLElement;
  /** Its inputs by name, which links contain. */
  readonly inputs: ReadonlyMap<string, HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement>;
  /** Called when files have come or gone. */
  readonly filesChanged: (files: PageFiles) => void;
  /** Returns what to run; a string says what is missing. */
  readonly job: (basis: JobBasis) => Job | string;
  /** True if the result follows each change by itself. */
  readonly isLive: boolean;
}

/** Files whose names say that they are policies, as far as names say it. */
function isPolicyName(name: string): boolean {
  return /\.(?:ya?ml|json|md|mdx|tf)$/.test(name) && !/\.(?:test|invariants)\.|^tollgate\.yaml$/.test(name);
}

function policyChoices({ files }: PageFiles): readonly Choice[] {
  return files.filter(({ name }) => isPolicyName(name)).map(({ name }) => ({ value: name, label: name }));
}

/** A list of the policies, which follows the file in the editor. */
function policyField(label: string): {
  readonly field: HTMLSelectElement;
  readonly row: HTMLLabelElement;
  readonly update: (files: PageFiles) => void;
} {
  const field = element('select');
  const update = (files: PageFiles) =>
    setChoices(field, policyChoices(files), isPolicyName(files.active) ? files.active : undefined);
  return { field, row: labelled(label, field), update };
}

const REQUESTS = `curl https://shop.example/admin/orders
# from: 203.0.113.9`;

function requestsField(): { readonly field: HTMLTextAreaElement; readonly form: HTMLElement } {
  const field = element('textarea', { rows: '6', spellcheck: 'false', autocapitalize: 'off', autocomplete: 'off' });
  field.value = REQUESTS;
  const hint = element(
    'p',
    { class: 'help' },
    'Curl commands, URLs or raw requests, separated by empty lines. Lines such as ',
    element('code', {}, '# from: 203.0.113.9'),
    ', ',
    element('code', {}, '# country: DE'),
    ', ',
    element('code', {}, '# time: 2026-11-24T09:00:00Z'),
    ', ',
    element('code', {}, '# tls: 1.3'),
    ' and ',
    element('code', {}, '# status: 404'),
    ' add what a request itself does not say; the rest is unknown to the policy.',
  );
  return { field, form: element('div', {}, labelled('Requests', field), hint) };
}

/** Returns the fields that write one more request into a list. */
function requestBuilder(requests: HTMLTextAreaElement, changed: () => void): HTMLElement {
  const method = element('select');
  setChoices(
    method,
    ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'].map(value => ({ value, label: value })),
  );
  const url = element('input', { type: 'url', placeholder: 'https://shop.example/api/orders' });
  const header = element('input', { type: 'text', placeholder: 'X-Api-Key: secret' });
  const from = element('input', { type: 'text', placeholder: '203.0.113.9' });
  const add = () => {
    if (url.value.trim() === '') return url.focus();
    const words = ['curl', ...(method.value === 'GET' ? [] : ['-X', method.value]), quoted(url.value.trim())];
    if (header.value.trim() !== '') words.push('-H', quoted(header.value.trim()));
    const client = from.value.trim() === '' ? '' : `\n# from: ${from.value.trim()}`;
    const before = requests.value.trim() === '' ? '' : `${requests.value.trimEnd()}\n\n`;
    requests.value = `${before}${words.join(' ')}${client}`;
    changed();
  };
  const fields = element(
    'div',
    { class: 'row' },
    labelled('Method', method),
    labelled('URL', url),
    labelled('Header', header),
    labelled('Client address', from),
    button('Add request', add),
  );
  return element('details', {}, element('summary', {}, 'Write a request with a form'), fields);
}

function quoted(word: string): string {
  return /^[\w:/.,?=-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** Returns all tabs in their order. */
export function createPanels(context: PanelContext, replay: PanelView): readonly PanelView[] {
  const panels = [
    tracePanel(context),
    replay,
    diffPanel(),
    provePanel(),
    testPanel(),
    compilePanel(),
    expressionPanel(),
  ];
  for (const { form, inputs } of panels) {
    form.classList.add('form');
    for (const input of inputs.values()) input.addEventListener('input', context.changed);
  }
  return panels;
}

function tracePanel({ changed }: PanelContext): PanelView {
  const policy = policyField('Policy');
  const requests = requestsField();
  return {
    ...{ id: 'trace', label: 'Trace', isLive: true, filesChanged: policy.update },
    form: element('div', {}, policy.row, requests.form, requestBuilder(requests.field, changed)),
    inputs: new Map<string, HTMLSelectElement | HTMLTextAreaElement>([
      ['trace.policy', policy.field],
      ['trace.requests', requests.field],
    ]),
    job: basis => ({ kind: 'trace', ...basis, policy: policy.field.value, requests: requests.field.value }),
  };
}

function diffPanel(): PanelView {
  const [before, after] = [element('select'), element('select')];
  return {
    ...{ id: 'diff', label: 'Diff', isLive: false },
    form: element(
      'div',
      {},
      element(
        'p',
        { class: 'help' },
        'Compares two policies for every possible request, not only recorded ones. Add the other policy as a file.',
      ),
      element('div', { class: 'row' }, labelled('Before', before), labelled('After', after)),
    ),
    inputs: new Map([
      ['diff.before', before],
      ['diff.after', after],
    ]),
    filesChanged: files => {
      const choices = policyChoices(files);
      const isNew = before.options.length < 2 && choices.length > 1;
      setChoices(before, choices, isNew ? choices[0]?.value : undefined);
      setChoices(after, choices, isNew ? choices[1]?.value : undefined);
    },
    job: basis =>
      before.value === after.value
        ? 'Choose two different policies; + adds a file.'
        : { kind: 'diff', ...basis, before: before.value, after: after.value },
  };
}

function provePanel(): PanelView {
  return {
    ...{ id: 'prove', label: 'Prove', isLive: false, filesChanged: () => {}, inputs: new Map() },
    form: element(
      'p',
      { class: 'help' },
      'Proves the statements in files such as ',
      element('code', {}, 'policy.invariants.yaml'),
      ' for every possible request, or shows a request that refutes them.',
    ),
    job: basis => ({ kind: 'prove', ...basis }),
  };
}

function testPanel(): PanelView {
  return {
    ...{ id: 'test', label: 'Tests', isLive: false, filesChanged: () => {}, inputs: new Map() },
    form: element(
      'p',
      { class: 'help' },
      'Runs the tests in files such as ',
      element('code', {}, 'policy.test.yaml'),
      ', and shows what of each policy they reach.',
    ),
    job: basis => ({ kind: 'test', ...basis }),
  };
}

const TARGETS: readonly Choice[] = [
  { value: 'sql-duckdb', label: 'SQL for DuckDB' },
  { value: 'sql-postgres', label: 'SQL for PostgreSQL' },
  { value: 'sql-clickhouse', label: 'SQL for ClickHouse' },
  { value: 'sql-trino', label: 'SQL for Trino' },
  { value: 'sql-spark', label: 'SQL for Spark' },
  { value: 'ast', label: 'Checked expressions (JSON)' },
];

function compilePanel(): PanelView {
  const policy = policyField('Policy');
  const to = element('select');
  setChoices(to, TARGETS);
  return {
    ...{ id: 'compile', label: 'Compile', isLive: true, filesChanged: policy.update },
    form: element('div', { class: 'row' }, policy.row, labelled('To', to)),
    inputs: new Map([
      ['compile.policy', policy.field],
      ['compile.to', to],
    ]),
    job: basis => ({ kind: 'compile', ...basis, policy: policy.field.value, to: to.value }),
  };
}

function expressionPanel(): PanelView {
  const expression = element('textarea', { rows: '3', spellcheck: 'false', autocapitalize: 'off' });
  expression.value = "req.url.path.startsWith('/admin') && !inCidrRange(conn.client_ip, '10.0.0.0/8')";
  const phase = element('select');
  setChoices(
    phase,
    ['on_http_request', 'on_http_response', 'on_tcp_connect', 'inbound', 'outbound'].map(value => ({
      value,
      label: value,
    })),
  );
  const requests = requestsField();
  return {
    ...{ id: 'expression', label: 'Expression', isLive: true, filesChanged: () => {} },
    form: element('div', {}, labelled('CEL expression', expression), labelled('Phase', phase), requests.form),
    inputs: new Map<string, HTMLSelectElement | HTMLTextAreaElement>([
      ['expression.expression', expression],
      ['expression.phase', phase],
      ['expression.requests', requests.field],
    ]),
    job: basis => ({
      ...{ kind: 'expression' as const, ...basis },
      expression: expression.value,
      phase: phase.value,
      requests: requests.field.value,
    }),
  };
}

/** A recording that the page holds. It leaves the machine in no way; a link contains it only if the user says so. */
interface HeldRecording {
  readonly name: string;
  readonly content: Blob;
}

/** The tab for recordings, and what it holds. */
export interface ReplayPanel {
  readonly view: PanelView;
  readonly recordings: () => readonly HeldRecording[];
  /** Replaces the recordings. */
  readonly set: (recordings: readonly HeldRecording[]) => void;
}

/** Returns the tab that replays recordings. */
export function createReplayPanel({ changed }: PanelContext): ReplayPanel {
  const policy = policyField('Policy');
  const origin = element('input', { type: 'url', placeholder: 'https://shop.example' });
  const pasted = element('textarea', { rows: '5', spellcheck: 'false', autocapitalize: 'off' });
  const file = element('input', { type: 'file', multiple: true });
  const list = element('p', { class: 'held', 'aria-live': 'polite' });
  let dropped: readonly HeldRecording[] = [];
  const show = () => {
    const names = dropped.map(({ name, content }) => `${name} (${sizeText(content.size)})`).join(', ');
    list.replaceChildren(...(dropped.length === 0 ? [] : [names, ' ', button('Remove', () => set([]))]));
  };
  const set = (recordings: readonly HeldRecording[]) => {
    dropped = uniquelyNamed(recordings);
    if (recordings.length > 0) pasted.value = '';
    show();
    changed();
  };
  file.addEventListener('change', () => set([...(file.files ?? [])].map(one => ({ name: one.name, content: one }))));
  const drop = element(
    'div',
    { class: 'drop' },
    labelled('Log, HAR or CSV: paste it', pasted),
    labelled('or choose or drop files, also .gz and .zst', file),
    element('p', { class: 'help' }, 'It is read on this machine, and sent nowhere.'),
    list,
  );
  for (const name of ['dragover', 'dragleave', 'drop'])
    drop.addEventListener(name, event => {
      event.preventDefault();
      drop.classList.toggle('over', name === 'dragover');
    });
  drop.addEventListener('drop', event => {
    const files = [...(event.dataTransfer?.files ?? [])];
    if (files.length > 0) set(files.map(one => ({ name: one.name, content: one })));
  });
  pasted.addEventListener('input', () => {
    if (dropped.length > 0) dropped = [];
    show();
  });
  const recordings = () =>
    dropped.length > 0
      ? dropped
      : pasted.value.trim() === ''
        ? []
        : [{ name: 'pasted', content: new Blob([pasted.value]) }];
  const view: PanelView = {
    ...{ id: 'replay', label: 'Replay', isLive: false, filesChanged: policy.update },
    form: element('div', {}, policy.row, drop, labelled('Origin of requests without a host (optional)', origin)),
    inputs: new Map<string, HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement>([
      ['replay.policy', policy.field],
      ['replay.origin', origin],
      ['replay.log', pasted],
    ]),
    job: basis => {
      const held = recordings();
      if (held.length === 0) return 'Paste a log, or drop one here.';
      return { kind: 'replay', ...basis, policy: policy.field.value, origin: origin.value.trim(), recordings: held };
    },
  };
  return { view, recordings, set };
}

function uniquelyNamed(recordings: readonly HeldRecording[]): readonly HeldRecording[] {
  return recordings.map(({ name, content }, index) => {
    const isTaken = recordings.slice(0, index).some(one => one.name === name);
    return { name: isTaken ? `${index + 1}-${name}` : name, content };
  });
}

/** Returns a number of bytes as people read it. */
function sizeText(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  return bytes < 1_000_000 ? `${Math.round(bytes / 1000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
