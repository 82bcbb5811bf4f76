// Puts the page together: files, editor, tabs, links and drafts.

import { PolicyEditor } from '../editor/policy-editor.ts';
import { objectionToName, type PlaygroundFile, type PlaygroundState } from '../permalink.ts';
import { button, byId, columnsOf, element, setChoices, showReport, tabKeys } from './elements.ts';
import { Findings } from './findings.ts';
import { createPanels, createReplayPanel, type PanelView } from './panels.ts';
import { JobStopped, Runner } from './runner.ts';
import { askForLog, forgetDraft, keepDraft, readAddress, readDraft, share, versionNote } from './share.ts';

/** The addresses of what the page loads. */
export interface PageSetup {
  readonly server: string;
  readonly runner: string;
  readonly gallery: string;
}

/** A task of the gallery. */
interface GalleryTask extends PlaygroundState {
  readonly id: string;
  readonly title: string;
}

/** How long to wait for the next key before a live result is computed again, in ms. */
const PAUSE_MS = 400;

/** How long the first run waits for the first findings, in ms: two workers that start at once slow each other down. */
const FIRST_FINDINGS_MS = 1500;

/** How long after the last change all checks are asked for, in ms. */
const SETTLING_MS = 700;

/** Starts the page with the state of its address, a draft, or the first task of the gallery. */
export async function startPage(setup: PageSetup): Promise<void> {
  const page = new Page(setup);
  const [gallery, address, draft] = await Promise.all([loadGallery(setup.gallery), readAddress(), readDraft()]);
  page.setGallery(gallery);
  const first = gallery[0]!;
  const isLink = typeof address === 'object';
  page.open(isLink ? address : (draft ?? first));
  if (typeof address === 'string') page.notify(`${address[0]!.toUpperCase()}${address.slice(1)}.`);
  else if (isLink) page.notify(versionNote(address) ?? '');
  addEventListener('hashchange', async () => {
    const state = await readAddress();
    if (typeof state === 'object') page.open(state);
    else page.notify(state ?? '');
  });
}

async function loadGallery(address: string): Promise<readonly GalleryTask[]> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`the examples could not be loaded (${response.status})`);
  return (await response.json()) as readonly GalleryTask[];
}

/** The page. */
class Page {
  readonly #editor: PolicyEditor;
  readonly #findings: Findings;
  readonly #runner: Runner;
  readonly #panels: readonly PanelView[];
  readonly #replay = createReplayPanel({ changed: () => this.#inputChanged(), addFile: file => this.#addFile(file) });
  readonly #output = byId('output');
  readonly #status = byId('status');
  readonly #stop = byId('stop') as HTMLButtonElement;
  readonly #download = byId('download') as HTMLAnchorElement;
  readonly #profile = byId('profile') as HTMLSelectElement;
  readonly #examples = byId('examples') as HTMLSelectElement;
  #gallery: readonly GalleryTask[] = [];
  #panel: PanelView;
  #names = '';
  #now: string | undefined;
  #seed: number | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #settling: ReturnType<typeof setTimeout> | undefined;
  #isOpening = false;
  /** Whether the first run of what was opened is still to come. */
  #isWaitingForFindings = false;
  /** Whether the last job ended soon enough to be run again by itself. */
  #isQuick = true;

  constructor({ server, runner }: PageSetup) {
    this.#runner = new Runner(runner);
    const context = { changed: () => this.#inputChanged(), addFile: (file: PlaygroundFile) => this.#addFile(file) };
    this.#panels = createPanels(context, this.#replay.view);
    this.#panel = this.#panels[0]!;
    this.#findings = new Findings({
      list: byId('findings'),
      count: byId('count'),
      reveal: (name, finding) => {
        this.#showPane('edit');
        this.#editor.reveal(name, finding);
      },
    });
    this.#editor = new PolicyEditor({
      parent: byId('editor'),
      server,
      events: {
        changed: () => this.#filesChanged(),
        found: (name, findings) => {
          this.#findings.set(name, findings);
          if (!this.#isWaitingForFindings) return;
          this.#isWaitingForFindings = false;
          this.#runSoon(0);
        },
        stopped: message => {
          this.#findings.stopped(message);
          this.#settleSoon();
        },
      },
    });
    // A long report is scrolled by keys, too.
    this.#output.tabIndex = 0;
    byId('tool').tabIndex = 0;
    this.#output.setAttribute('role', 'region');
    this.#output.setAttribute('aria-label', 'Result');
    this.#buildTabs();
    this.#listen();
  }

  setGallery(gallery: readonly GalleryTask[]): void {
    this.#gallery = gallery;
    const choices = gallery.map(({ id, title }) => ({ value: id, label: title }));
    setChoices(this.#examples, [{ value: '', label: 'Examples…' }, ...choices]);
  }

  /** Shows a state: its files, tab and inputs. */
  open(state: PlaygroundState): void {
    this.#isOpening = true;
    this.#now = state.now;
    this.#seed = state.seed;
    setChoices(this.#profile, PROFILE_CHOICES, state.profile);
    this.#profile.value = PROFILE_CHOICES.some(({ value }) => value === state.profile) ? state.profile : '';
    this.#replay.set([]);
    this.#editor.open(state.files, state.active, this.#profile.value);
    for (const { inputs } of this.#panels)
      for (const [name, input] of inputs) {
        const value = state.inputs?.[name];
        if (value !== undefined && input instanceof HTMLSelectElement) setIfOffered(input, value);
        else if (value !== undefined) input.value = value;
      }
    this.#isOpening = false;
    this.#showPanel(this.#panels.find(({ id }) => id === state.tab) ?? this.#panels[0]!);
    this.notify('');
    // What somebody sent is run only by a click if it may take long.
    this.#isQuick = true;
    this.#isWaitingForFindings = true;
    this.#runSoon(FIRST_FINDINGS_MS);
  }

  notify(message: string): void {
    byId('notice').textContent = message;
  }

  get #state(): PlaygroundState {
    const inputs = this.#panels.flatMap(({ inputs }) => [...inputs].map(([name, { value }]) => [name, value] as const));
    const active = this.#editor.active?.name ?? '';
    return {
      ...{ files: this.#editor.files, active, profile: this.#profile.value, tab: this.#panel.id },
      inputs: Object.fromEntries(inputs.filter(([name]) => name !== 'replay.log')),
      ...(this.#now !== undefined && { now: this.#now }),
      ...(this.#seed !== undefined && { seed: this.#seed }),
    };
  }

  #listen(): void {
    this.#profile.addEventListener('change', () => this.#editor.setProfile(this.#profile.value));
    this.#examples.addEventListener('change', () => {
      const task = this.#gallery.find(({ id }) => id === this.#examples.value);
      this.#examples.value = '';
      if (!task) return;
      history.replaceState(undefined, '', location.pathname);
      forgetDraft();
      this.open(task);
    });
    byId('share').addEventListener('click', () => void this.#share());
    byId('run').addEventListener('click', () => this.#run());
    this.#stop.addEventListener('click', () => this.#runner.stop('you stopped it'));
    addEventListener('keydown', event => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      this.#run();
    });
    const panes = byId('panes');
    for (const tab of panes.querySelectorAll('button'))
      tab.addEventListener('click', () => this.#showPane(tab.dataset.pane!));
    tabKeys(panes);
    this.#showPane('edit');
  }

  #showPane(pane: string): void {
    document.body.dataset.pane = pane;
    for (const tab of byId('panes').querySelectorAll<HTMLElement>('button')) select(tab, tab.dataset.pane === pane);
  }

  #buildTabs(): void {
    const tabs = byId('tabs');
    tabs.append(
      ...this.#panels.map(panel =>
        button(panel.label, () => this.#showPanel(panel), {
          ...{ role: 'tab', id: `tab-${panel.id}`, 'aria-controls': 'tool', 'aria-selected': 'false', tabindex: '-1' },
        }),
      ),
    );
    tabKeys(tabs);
    tabKeys(byId('files'));
  }

  #showPanel(panel: PanelView): void {
    this.#panel = panel;
    for (const { id } of this.#panels) select(byId(`tab-${id}`), id === panel.id);
    byId('tool').setAttribute('aria-labelledby', `tab-${panel.id}`);
    byId('form').replaceChildren(panel.form);
    this.#runner.stop('another tab was opened');
    this.#clear();
    this.#draftChanged();
    if (panel.isLive && !this.#isOpening) this.#runSoon(0);
  }

  #clear(): void {
    this.#output.replaceChildren();
    this.#status.textContent = '';
    this.#download.hidden = true;
  }

  #filesChanged(): void {
    const { edited, active } = this.#editor;
    const names = edited.map(({ name }) => name);
    const key = JSON.stringify([names, active?.name]);
    if (key !== this.#names) {
      this.#names = key;
      this.#findings.keep(names);
      this.#showFiles(names, active?.name ?? '');
      for (const panel of this.#panels) panel.filesChanged({ files: this.#editor.files, active: active?.name ?? '' });
    }
    this.#findings.settled(false);
    this.#settleSoon();
    this.#inputChanged();
  }

  /** Learns when there are no more findings to come: the server reports none again that it has reported. */
  #settleSoon(): void {
    clearTimeout(this.#settling);
    const timer = setTimeout(() => {
      this.#editor.settled().then(
        () => timer === this.#settling && this.#findings.settled(true),
        // A server that was stopped says so itself.
        () => {},
      );
    }, SETTLING_MS);
    this.#settling = timer;
  }

  #showFiles(names: readonly string[], active: string): void {
    const tabs = names.map(name => {
      const tab = button(name, () => this.#editor.show(name), { role: 'tab', 'aria-controls': 'editor' });
      select(tab, name === active);
      return tab;
    });
    const isFocused = byId('files').contains(document.activeElement);
    byId('files').replaceChildren(...tabs);
    if (isFocused) tabs.find(tab => tab.getAttribute('aria-selected') === 'true')?.focus();
    byId('file-actions').replaceChildren(
      button('+', () => this.#askForFile(), { 'aria-label': 'Add a file', title: 'Add a file' }),
      ...(names.length > 1
        ? [
            button('×', () => this.#editor.remove(active), {
              'aria-label': `Remove ${active}`,
              title: `Remove ${active}`,
            }),
          ]
        : []),
    );
  }

  #askForFile(): void {
    const dialog = byId('dialog') as HTMLDialogElement;
    const name = element('input', { type: 'text', 'aria-label': 'Name', list: 'names', autocomplete: 'off' });
    const usual = ['policy.yaml', 'changed.yaml', 'policy.test.yaml', 'policy.invariants.yaml', 'tollgate.yaml'];
    const taken = new Set(this.#editor.edited.map(one => one.name));
    name.value = usual.find(one => !taken.has(one)) ?? 'other.yaml';
    const names = element('datalist', { id: 'names' }, ...usual.map(value => element('option', { value })));
    const problem = element('p', { class: 'style-error', role: 'alert' });
    const add = (event: Event) => {
      event.preventDefault();
      const objection =
        objectionToName(name.value) ?? (taken.has(name.value) ? 'one that no other file has' : undefined);
      if (objection !== undefined) problem.textContent = `The name must be ${objection}.`;
      else {
        dialog.close();
        this.#addFile({ name: name.value, text: templateFor(name.value, this.#editor.files) });
      }
    };
    const form = element(
      'form',
      { method: 'dialog' },
      element('h2', {}, 'Add a file'),
      element('p', {}, 'Tests end in .test.yaml, invariants in .invariants.yaml; tollgate.yaml has the settings.'),
      name,
      names,
      problem,
      element(
        'p',
        { class: 'row' },
        element('button', { type: 'submit' }, 'Add'),
        button('Cancel', () => dialog.close()),
      ),
    );
    form.addEventListener('submit', add);
    dialog.replaceChildren(form);
    dialog.showModal();
    name.select();
  }

  #addFile(file: PlaygroundFile): void {
    this.#editor.write(file);
    this.#editor.show(file.name);
  }

  #inputChanged(): void {
    if (this.#isOpening) return;
    this.#draftChanged();
    if (this.#panel.isLive && this.#isQuick) this.#runSoon(PAUSE_MS);
    else if (this.#output.hasChildNodes()) this.#status.textContent = 'Something has changed since this was run.';
  }

  #draftTimer: ReturnType<typeof setTimeout> | undefined;

  #draftChanged(): void {
    if (this.#isOpening) return;
    clearTimeout(this.#draftTimer);
    this.#draftTimer = setTimeout(() => keepDraft(this.#state), 1000);
  }

  #runSoon(pause: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#run(), pause);
  }

  #run(): void {
    clearTimeout(this.#timer);
    this.#isWaitingForFindings = false;
    const basis = {
      ...{ files: this.#editor.files, profile: this.#profile.value, width: columnsOf(this.#output) },
      ...{ now: this.#now, seed: this.#seed },
    };
    const job = this.#panel.job(basis);
    if (typeof job === 'string') {
      this.#clear();
      this.#status.textContent = job;
      return;
    }
    const panel = this.#panel;
    const started = performance.now();
    this.#stop.hidden = false;
    this.#status.textContent = 'Running…';
    this.#runner
      .run(job, progress => {
        this.#status.textContent = `Running: ${progress}`;
      })
      .then(({ text, html, isBad }) => {
        if (panel !== this.#panel) return;
        showReport(this.#output, text);
        this.#output.classList.toggle('bad', isBad);
        const took = performance.now() - started;
        this.#isQuick = took < 1500;
        this.#status.textContent = `Done in ${took < 1000 ? `${Math.round(took)} ms` : `${(took / 1000).toFixed(1)} s`}.`;
        this.#offerDownload(html, panel.id);
        this.#stop.hidden = true;
      })
      .catch((error: unknown) => {
        if (!(error instanceof JobStopped)) throw error;
        // The next job says what it does.
        if (error.message.startsWith('another')) return;
        this.#isQuick = false;
        this.#clear();
        this.#status.textContent = `Stopped: ${error.message}.`;
        this.#stop.hidden = true;
      });
  }

  #offerDownload(html: string | undefined, name: string): void {
    if (this.#download.href.startsWith('blob:')) URL.revokeObjectURL(this.#download.href);
    this.#download.hidden = html === undefined;
    if (html === undefined) return;
    this.#download.href = URL.createObjectURL(new Blob([html], { type: 'text/html' }));
    this.#download.download = `${name}.html`;
  }

  async #share(): Promise<void> {
    const log = await askForLog(byId('dialog') as HTMLDialogElement, this.#replay.recordings());
    if (log === undefined) return;
    const state = this.#state;
    this.notify(await share(log === '' ? state : { ...state, inputs: { ...state.inputs, 'replay.log': log } }));
  }
}

const PROFILE_CHOICES = [
  { value: '', label: 'detected' },
  { value: 'modern', label: 'modern' },
  { value: 'edge-v2-snake', label: 'edge-v2-snake' },
  { value: 'edge-v2', label: 'edge-v2' },
];

function setIfOffered(field: HTMLSelectElement, value: string): void {
  if ([...field.options].some(one => one.value === value)) field.value = value;
}

function select(tab: HTMLElement, isSelected: boolean): void {
  tab.setAttribute('aria-selected', String(isSelected));
  tab.tabIndex = isSelected ? 0 : -1;
}

/** Returns what a new file begins with. */
function templateFor(name: string, files: readonly PlaygroundFile[]): string {
  const policy = files.find(one => /\.ya?ml$/.test(one.name) && !/\.(?:test|invariants)\.|^tollgate\./.test(one.name));
  const about = policy?.name ?? 'policy.yaml';
  if (/\.test\./.test(name))
    return `policy: ${about}\ntests:\n  - name: a request passes\n    request: { url: 'https://shop.example/', no_other_headers: true }\n    expect: { outcome: passed }\n`;
  if (/\.invariants\./.test(name))
    return `policy: ${about}\ninvariants:\n  - name: the back office is never public\n    never: req.url.path.startsWith('/admin') && decision.reachesUpstream\n`;
  if (name === 'tollgate.yaml') return 'profile: modern\nlint:\n  extends: [recommended]\n';
  return policy?.text ?? '';
}
