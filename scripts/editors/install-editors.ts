/**
 * Installs the current Neovim, Helix and Emacs into the project's cache, from Debian's development packages and without touching the
 * system: `apt-get` with directories of its own fetches them with all libraries, and `patchelf` tells each program where those are.
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const CACHE = fileURLToPath(new URL('../../node_modules/.cache', import.meta.url));
const HOME = join(CACHE, 'tollgate-editors');

/** An editor that comes from Debian's packages; paths are those of the packages. */
interface Editor {
  /** The name of its command. */
  readonly name: string;
  readonly packages: readonly string[];
  readonly program: string;
  /** Where it finds its own files, which it looks for in `/usr` otherwise. */
  readonly environment: Readonly<Record<string, string>>;
}

const EDITORS: readonly Editor[] = [
  {
    name: 'nvim',
    packages: ['neovim'],
    program: 'usr/bin/nvim',
    environment: { VIMRUNTIME: 'usr/share/nvim/runtime' },
  },
  { name: 'hx', packages: ['hx'], program: 'usr/lib/hx/hx', environment: { HELIX_RUNTIME: 'usr/lib/hx/runtime' } },
  {
    name: 'emacs',
    packages: ['emacs-nox', 'elpa-yaml-mode', 'elpa-yasnippet'],
    program: 'usr/bin/emacs-nox',
    environment: {},
  },
];

/** Returns the path of an editor's command; undefined if it is not installed. */
export function findEditor(name: string): string | undefined {
  const path = join(HOME, 'bin', name);
  return existsSync(path) ? path : undefined;
}

/** Installs all editors, unless they are there. Returns the directory of their commands. */
export function installEditors(): string {
  const bin = join(HOME, 'bin');
  if (EDITORS.every(({ name }) => findEditor(name) !== undefined)) return bin;
  const partial = `${HOME}-${process.pid}`;
  const root = join(partial, 'root');
  mkdirSync(root, { recursive: true });
  try {
    for (const archive of fetchPackages(join(partial, 'apt'))) execFileSync('dpkg-deb', ['-x', archive, root]);
    rmSync(join(partial, 'apt'), { recursive: true });
    rmSync(HOME, { recursive: true, force: true });
    renameSync(partial, HOME);
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
  useOwnLibraries(
    join(HOME, 'root'),
    EDITORS.map(one => one.program),
  );
  mkdirSync(bin);
  for (const editor of EDITORS) writeStarter(editor, bin);
  return bin;
}

/** Fetches the editors and all that they depend on, whatever is installed here. Returns the archives. */
function fetchPackages(directory: string): readonly string[] {
  const archives = join(directory, 'cache/archives');
  for (const path of ['state/lists/partial', 'cache/archives/partial'])
    mkdirSync(join(directory, path), { recursive: true });
  writeFileSync(join(directory, 'status'), '');
  writeFileSync(join(directory, 'sources.list'), `deb ${mirror()} sid main\n`);
  const options = [
    ...[`Dir::Etc::sourcelist=${directory}/sources.list`, 'Dir::Etc::sourceparts=/dev/null'],
    ...[`Dir::State=${directory}/state`, `Dir::State::status=${directory}/status`, `Dir::Cache=${directory}/cache`],
    ...['APT::Install-Recommends=0', 'APT::Sandbox::User=', 'Acquire::Languages=none'],
  ].flatMap(option => ['-o', option]);
  const apt = (...args: readonly string[]) =>
    execFileSync('apt-get', [...options, '--quiet=2', ...args], { stdio: ['ignore', 'ignore', 'inherit'] });
  apt('update');
  apt('install', '--yes', '--download-only', 'patchelf', ...EDITORS.flatMap(one => one.packages));
  return readdirSync(archives)
    .filter(name => name.endsWith('.deb'))
    .map(name => join(archives, name));
}

/** The mirror that this machine uses for Debian's packages. */
function mirror(): string {
  const printed = execFileSync('apt-get', ['indextargets', '--format', '$(SITE)'], { encoding: 'utf8' });
  const found = printed.split('\n').find(line => /\/debian\/?$/.test(line));
  if (found === undefined) throw new Error('no mirror of Debian in the sources of apt; run `apt-get update` once');
  return found;
}

/** Packages bring a newer C library than the machine has: the program must start with its loader. */
function useOwnLibraries(root: string, programs: readonly string[]): void {
  const [loader = ''] = readdirSync(join(root, 'usr/lib64')).filter(one => one.startsWith('ld-linux'));
  const [folder = ''] = readdirSync(join(root, 'usr/lib')).filter(one => one.endsWith('-linux-gnu'));
  const [start, libraries] = [join(root, 'usr/lib64', loader), join(root, 'usr/lib', folder)];
  for (const program of programs) {
    const settings = ['--set-interpreter', start, '--force-rpath', '--set-rpath', libraries];
    execFileSync(start, [
      '--library-path',
      libraries,
      join(root, 'usr/bin/patchelf'),
      ...settings,
      join(root, program),
    ]);
  }
}

function writeStarter({ name, program, environment }: Editor, bin: string): void {
  const root = join(HOME, 'root');
  const set = Object.entries(environment).map(([key, value]) => `export ${key}='${join(root, value)}'`);
  const { lines, options } = name === 'emacs' ? emacsFiles(root) : { lines: [], options: '' };
  const start = `exec '${join(root, program)}' ${options} "$@"`;
  writeFileSync(join(bin, name), `${['#!/bin/sh', ...set, ...lines, start].join('\n')}\n`);
  chmodSync(join(bin, name), 0o755);
}

/** Emacs looks for its image and each directory of its library. */
function emacsFiles(root: string): { readonly lines: readonly string[]; readonly options: string } {
  const share = join(root, 'usr/share/emacs');
  const [version = ''] = readdirSync(share).filter(one => /^\d/.test(one));
  const binaries = join(root, 'usr/libexec/emacs', version);
  const image = readdirSync(binaries, { recursive: true, encoding: 'utf8' }).find(one => one.endsWith('.pdmp'));
  if (image === undefined) throw new Error(`no image of Emacs in ${binaries}`);
  const library = join(share, version, 'lisp');
  const inner = readdirSync(library, { recursive: true, withFileTypes: true })
    .filter(one => one.isDirectory())
    .map(one => join(one.parentPath, one.name));
  const added = readdirSync(join(root, 'usr/share/emacs/site-lisp/elpa-src')).map(one =>
    join(root, 'usr/share/emacs/site-lisp/elpa-src', one),
  );
  return {
    lines: [
      `export EMACSLOADPATH='${[library, ...inner, ...added].join(':')}'`,
      `export EMACSDATA='${share}/${version}/etc' EMACSDOC='${share}/${version}/etc' EMACSPATH='${binaries}'`,
    ],
    options: `--dump-file '${join(binaries, image)}'`,
  };
}

if (import.meta.main) console.log(installEditors());
