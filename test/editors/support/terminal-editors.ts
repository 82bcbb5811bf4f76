import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { findEditor } from '../../../scripts/editors/install-editors.ts';
import { Terminal, until } from './terminal.ts';

/** A place in a file, both from 1. */
interface Place {
  readonly line: number;
  readonly column: number;
}

/** An editor in a terminal, used as its users do, with the configuration that the guide prints. */
export interface TerminalEditor {
  readonly name: string;
  readonly terminal: Terminal;
  /** Opens a file of the directory. */
  open(file: string): Promise<void>;
  /** Shows the findings of a line. */
  showFindings(line: number): Promise<void>;
  /** Accepts the suggestion at the end of the file whose number, from 0, and label are given. */
  accept(index: number, label: string): Promise<void>;
  rename(place: Place, name: string): Promise<void>;
  /** Applies the first fix of the finding at a place. */
  fix(place: Place): Promise<void>;
  format(): Promise<void>;
  /** Begins to write at the start of an empty file; what is typed appears as it is. */
  write(): Promise<void>;
  /** Stops writing and saves the file. */
  save(): Promise<void>;
}

/** Where an editor is started. */
export interface Start {
  /** The home of the user, with nothing in it. */
  readonly home: string;
  readonly directory: string;
  /** Where the command `tollgate` is. */
  readonly commands: string;
}

/** Returns a code block of a section of the guide. */
function fromGuide(section: string, language: string, index = 0): string {
  const guide = readFileSync(new URL('../../../docs/guide/editors.md', import.meta.url), 'utf8');
  const part = guide.slice(guide.indexOf(`\n## ${section}\n`) + 1).split(/\n## /)[0]!;
  const block = [...part.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))][index]?.[1];
  if (block === undefined) throw new Error(`no ${language} in the section ${section} of the guide`);
  return block;
}

function put(path: string, text: string): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}

function startTerminal(command: readonly string[], { home, directory, commands }: Start): Terminal {
  const env = {
    HOME: home,
    XDG_CONFIG_HOME: join(home, '.config'),
    PATH: `${commands}:${process.env.PATH}`,
    TERM: 'xterm-256color',
  };
  return new Terminal(command, directory, env);
}

/** Asks for suggestions until they open: a server that has just been started has none yet. */
async function openSuggestions(terminal: Terminal, keys: readonly string[], shown: RegExp): Promise<void> {
  await until(
    'suggestions open',
    async () => {
      terminal.press(...keys);
      for (let tries = 0; tries < 40 && !shown.test(terminal.screen()); tries += 1) await terminal.rest();
      return terminal.screen();
    },
    screen => shown.test(screen),
  );
}

/** The commands that are installed, by the name of the editor. */
const PROGRAMS: Readonly<Record<string, string | undefined>> = {
  'Neovim 0.12': findEditor('nvim'),
  'Neovim of Debian': ['/usr/bin/nvim'].find(path => existsSync(path)),
  Helix: findEditor('hx'),
  Emacs: findEditor('emacs'),
};

function programOf(name: string): string {
  const program = PROGRAMS[name];
  if (program === undefined) throw new Error(`${name} is not installed`);
  return program;
}

/** Neovim; its list of suggestions opens by itself from 0.11 on. */
export function startNeovim(start: Start, name: 'Neovim 0.12' | 'Neovim of Debian'): TerminalEditor {
  const isNew = name === 'Neovim 0.12';
  const settings =
    'vim.cmd("filetype plugin indent on")\nvim.o.swapfile = false\nvim.o.hidden = true\nvim.o.cmdheight = 2\n';
  const init = put(
    join(start.home, '.config/nvim/init.lua'),
    `${settings}${fromGuide('Neovim', 'lua', isNew ? 0 : 1)}`,
  );
  const terminal = startTerminal([programOf(name), '-u', init], start);
  const command = (text: string) => {
    terminal.press('Escape');
    terminal.type(`:${text}`);
    terminal.press('Enter');
  };
  const goTo = ({ line, column }: Place) => command(`call cursor(${line}, ${column})`);
  let current = '';
  return {
    name,
    terminal,
    open: async file => {
      current = file;
      await terminal.shows(/\S/);
      command(`edit ${file}`);
      await terminal.shows(new RegExp(`${file.replaceAll('.', '\\.')} `));
      // The server is attached once it has answered.
      command("lua print(#(vim.lsp.get_clients or vim.lsp.get_active_clients)({ bufnr = 0 }) .. ' attached')");
    },
    showFindings: async line => {
      goTo({ line, column: 1 });
      command('lua vim.diagnostic.open_float()');
    },
    accept: async (index, label) => {
      terminal.press('Escape', 'G', 'A');
      await openSuggestions(terminal, ['C-x', 'C-o'], /close-connection +(?:Struct|action)/);
      terminal.press(...Array.from({ length: index + 1 }, () => 'C-n'), 'C-y');
      // The item is inserted once the server has completed it.
      await terminal.shows(new RegExp(`name: b[^]*- type: ${label}`));
    },
    rename: async (place, to) => {
      goTo(place);
      command(`lua vim.lsp.buf.rename('${to}')`);
    },
    fix: async place => {
      goTo(place);
      command('lua vim.lsp.buf.code_action()');
      await terminal.shows(/1:? .*(?:Type number|\[tollgate\]|method)/);
      terminal.type('1');
      terminal.press('Enter');
    },
    format: async () => command(isNew ? 'lua vim.lsp.buf.format()' : 'lua vim.lsp.buf.formatting_sync(nil, 10000)'),
    write: async () => {
      terminal.press('Escape', 'i');
      await terminal.shows(/INSERT/);
    },
    save: async () => {
      command('wall');
      await terminal.shows(new RegExp(`${current.replaceAll('.', '\\.')}(?! \\[\\+\\])`));
    },
  };
}

/** Helix; its list of suggestions opens by itself. */
export function startHelix(start: Start): TerminalEditor {
  put(join(start.home, '.config/helix/languages.toml'), fromGuide('Helix', 'toml'));
  put(join(start.home, '.config/helix/config.toml'), '[editor]\nauto-pairs = false\nauto-save = false\n');
  const terminal = startTerminal([programOf('Helix')], start);
  /** Escape closes a list or a placeholder first if there is one. */
  const normal = () =>
    until(
      'Helix takes commands',
      async () => {
        terminal.press('Escape');
        await terminal.rest();
        return terminal.screen();
      },
      screen => / NOR /.test(screen),
    );
  const command = async (text: string) => {
    await normal();
    terminal.type(`:${text}`);
    terminal.press('Enter');
  };
  const goTo = async ({ line, column }: Place) => {
    await command(`goto ${line}`);
    terminal.type(`${'l'.repeat(column - 1)}`);
  };
  let current = '';
  return {
    name: 'Helix',
    terminal,
    open: async file => {
      current = file;
      // Keys that are pressed before it has started are lost.
      await terminal.shows(/ (?:NOR|INS|SEL) /);
      await command(`open ${file}`);
      await terminal.shows(new RegExp(`${file.replaceAll('.', '\\.')} `));
    },
    showFindings: line => goTo({ line, column: 1 }),
    accept: async index => {
      await normal();
      terminal.type('geglA');
      await openSuggestions(terminal, ['C-x'], /close-connection +struct/);
      terminal.press(...Array.from({ length: index + 1 }, () => 'C-n'), 'Enter');
    },
    rename: async (place, to) => {
      await goTo(place);
      terminal.type(' r');
      await terminal.shows(/rename-to:/);
      terminal.press('C-u');
      terminal.type(to);
      terminal.press('Enter');
    },
    fix: async place => {
      await goTo(place);
      terminal.type(' a');
      await terminal.shows(/ignore .* here, with a reason|method/);
      terminal.press('C-n', 'Enter');
    },
    format: () => command('format'),
    write: async () => {
      await normal();
      terminal.type('i');
      await terminal.shows(/INS/);
    },
    save: async () => {
      await command('write-all');
      await terminal.shows(new RegExp(`${current.replaceAll('.', '\\.')} (?! *\\[\\+\\])`));
    },
  };
}

/** What completes in Emacs like the packages that show a list: the candidate is inserted, and its server is told so. */
const ACCEPT = `(defun accept-candidate (label)
  (goto-char (point-max)) (skip-chars-backward "\\n")
  (let* ((found (run-hook-with-args-until-success 'completion-at-point-functions))
         (start (nth 0 found)) (end (nth 1 found)) (table (nth 2 found)) (plist (nthcdr 3 found))
         (all (all-completions "" table))
         (item (seq-find (lambda (one) (string= (string-trim one) label)) all)))
    (delete-region start end) (goto-char start) (insert item)
    (funcall (plist-get plist :exit-function) item 'finished)))
`;

/** Emacs with eglot, and with yasnippet, which expands snippets. */
export function startEmacs(start: Start): TerminalEditor {
  const init = put(
    join(start.home, '.emacs.d/init.el'),
    `(setq eval-expression-debug-on-error nil make-backup-files nil auto-save-default nil inhibit-startup-screen t eglot-confirm-server-edits nil eglot-autoshutdown nil)
(require 'eglot) (require 'yaml-mode) (require 'yasnippet) (yas-global-mode 1)
(add-to-list 'auto-mode-alist '("\\\\.ya?ml\\\\'" . yaml-mode))
(add-hook 'yaml-mode-hook 'eglot-ensure)
${fromGuide('Emacs', 'elisp')}${ACCEPT}`,
  );
  const terminal = startTerminal([programOf('Emacs'), '-nw', '-q', '-l', init], start);
  const evaluate = async (text: string) => {
    terminal.press('M-:');
    await terminal.shows(/Eval:/);
    terminal.type(text);
    terminal.press('Enter');
  };
  const at = ({ line, column }: Place) =>
    `(goto-char (point-min)) (forward-line ${line - 1}) (forward-char ${column - 1})`;
  return {
    name: 'Emacs',
    terminal,
    open: async file => {
      await evaluate(`(progn (find-file "${file}") (eglot--maybe-activate-editing-mode) (message "opened"))`);
      await terminal.shows(new RegExp(`${file.replaceAll('.', '\\.')} `));
    },
    showFindings: async () => evaluate('(when flymake-mode (flymake-start) (flymake-show-buffer-diagnostics))'),
    accept: async (_, label) => {
      await evaluate(`(progn (accept-candidate "${label}") (message "accepted %s" "${label}"))`);
      await terminal.shows(new RegExp(`accepted ${label}`));
    },
    rename: async (place, to) => evaluate(`(progn ${at(place)} (eglot-rename "${to}"))`),
    fix: async place => evaluate(`(progn ${at(place)} (eglot-code-actions (point) nil "quickfix" t))`),
    format: async () => evaluate('(eglot-format-buffer)'),
    write: async () => undefined,
    save: async () => {
      await evaluate('(progn (save-some-buffers t) (message "all saved"))');
      await terminal.shows(/all saved/);
    },
  };
}
