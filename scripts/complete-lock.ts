/**
 * Adds to package-lock.json the optional platform packages that npm left out because the registry it was written from lacks
 * them: without an entry, `npm ci` on another platform finds the lock file out of step and installs no binary.
 *
 * Run it after every change of dependencies; `--check` only reports whether something is missing.
 */
import { readFileSync, writeFileSync } from 'node:fs';

interface LockEntry {
  version?: string;
  optional?: boolean;
  os?: string[];
  cpu?: string[];
  libc?: string[];
  optionalDependencies?: Record<string, string>;
}

const LOCK = new URL('../package-lock.json', import.meta.url);
const SYSTEMS = ['darwin', 'linux', 'win32', 'android', 'freebsd', 'openharmony', 'netbsd', 'openbsd', 'sunos', 'aix'];
const PROCESSORS = ['arm64', 'x64', 'arm', 'ia32', 'ppc64', 'riscv64', 's390x', 'loong64', 'mips64el', 'wasm32'];

/** Parses the platform from the end of a package name, such as `binding-linux-x64-musl`. */
function platformOf(name: string): Pick<LockEntry, 'os' | 'cpu' | 'libc'> {
  const words = name.split(/[-/]/);
  const os = words.filter(word => SYSTEMS.includes(word));
  const cpu = words.filter(word => PROCESSORS.includes(word));
  const libc = words.includes('musl') ? ['musl'] : words.includes('gnu') && os.includes('linux') ? ['glibc'] : [];
  return { ...(os.length > 0 && { os }), ...(cpu.length > 0 && { cpu }), ...(libc.length > 0 && { libc }) };
}

function missingEntries(packages: Record<string, LockEntry>): Record<string, LockEntry> {
  const missing: Record<string, LockEntry> = {};
  for (const entry of Object.values(packages)) {
    for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
      const platform = platformOf(name);
      if (packages[`node_modules/${name}`] !== undefined || platform.cpu === undefined) continue;
      if (!/^\d/.test(version)) continue;
      missing[`node_modules/${name}`] = { version, optional: true, ...platform };
    }
  }
  return missing;
}

const lock = JSON.parse(readFileSync(LOCK, 'utf8')) as { packages: Record<string, LockEntry> };
const missing = missingEntries(lock.packages);
const names = Object.keys(missing);

if (names.length === 0) {
  console.log('package-lock.json has an entry for every optional platform package');
} else if (process.argv.includes('--check')) {
  console.error(`package-lock.json lacks ${names.length} optional platform packages, such as ${names[0]}`);
  console.error('run `npm run lock:complete`');
  process.exitCode = 1;
} else {
  const merged = Object.entries({ ...lock.packages, ...missing }).sort(([a], [b]) => (a < b ? -1 : 1));
  writeFileSync(LOCK, `${JSON.stringify({ ...lock, packages: Object.fromEntries(merged) }, null, 2)}\n`);
  console.log(`added ${names.length} optional platform packages to package-lock.json`);
}
