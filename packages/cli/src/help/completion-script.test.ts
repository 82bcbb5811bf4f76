import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createKeyed } from '@tollgate/publisher';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCaptured } from '../run-captured.ts';

let directory: string;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'tollgate-'));
  mkdirSync(join(directory, 'policies'));
  writeFileSync(join(directory, 'policy one.yaml'), '');
  for (const shell of ['bash', 'zsh', 'fish'])
    writeFileSync(join(directory, `_tollgate.${shell}`), await script(shell));
  mkdirSync(join(directory, 'bin'));
  const command = `exec '${process.execPath}' '${join(import.meta.dirname, '../../bin/tollgate.js')}' "$@"`;
  writeFileSync(join(directory, 'bin/tollgate'), `#!/bin/sh\n${command}\n`, { mode: 0o755 });
  writeFileSync(join(directory, 'tollgate.yaml'), PROJECT);
  mkdirSync(join(directory, '.tollgate'));
  writeFileSync(
    join(directory, '.tollgate/history.jsonl'),
    `${JSON.stringify({ ...RUN, code: createKeyed(Buffer.from(HISTORY_KEY)).fingerprint(RUN) })}\n`,
  );
  writeFileSync(join(directory, 'setup.zsh'), SETUP);
  writeFileSync(join(directory, 'capture.zsh'), CAPTURE);
});

const HISTORY_KEY = 'the key of the tests';

const PROJECT = `environments:
  production: { url: "https://api.example", apiKey: { env: KEY } }
  staging: { url: "https://api.example", apiKey: { env: KEY } }
targets:
  shop: { policy: shop.yaml, tlsEdge: e }
  blog: { policy: blog.yaml, tlsEdge: f }
`;

const RUN = {
  kind: 'begin',
  run: 'x',
  time: '2027-01-31T00:00:00Z',
  command: 'apply',
  environment: 'production',
  url: 'https://api.example',
  who: 'alice',
  keyId: 'k',
};

afterAll(() => rmSync(directory, { recursive: true }));

async function script(shell: string): Promise<string> {
  return (await runCaptured(['completion', shell])).output;
}

/** Scripts call the command while they complete. */
function run(command: string, args: readonly string[]): readonly string[] {
  const env = { ...process.env, TOLLGATE_HISTORY_KEY: HISTORY_KEY, PATH: `${directory}/bin:${process.env.PATH}` };
  const { stdout, error } = spawnSync(command, args, { cwd: directory, encoding: 'utf8', env });
  if (error) throw error;
  return stdout.split('\n').filter(line => line !== '');
}

/** What each shell offers after a line, sorted. */
const SHELLS: Readonly<Record<string, (line: string) => readonly string[]>> = {
  bash: line => {
    // Readline splits at \`=\`.
    const words = line.split(/ +|(?==)|(?<==)/);
    const source = `source ./_tollgate.bash; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _tollgate; printf '%s\\n' "\${COMPREPLY[@]}"`;
    return run('bash', ['--norc', '-c', source, 'bash', ...words]).toSorted();
  },
  zsh: line => [...new Set(run('zsh', ['-f', 'capture.zsh', line]))].sort(),
  fish: line => {
    const source = `source ./_tollgate.fish; complete -C ${JSON.stringify(line)}`;
    return run('fish', ['-N', '-c', source])
      .map(offer => offer.split('\t')[0]!)
      .sort();
  },
};

/** Makes an interactive zsh print its completions. */
const SETUP = String.raw`
PROMPT=
autoload -Uz compinit && compinit -D -u
source ./_tollgate.zsh
compadd() {
  if [[ "$*" == *(-O|-A|-D)\ * ]]; then builtin compadd "$@"; return; fi
  local -a hits
  local hit
  builtin compadd -A hits "$@"
  for hit in $hits; do print -r -- "HIT $hit"; done
  builtin compadd "$@"
}
finish() { print; print END; exit }
zle -N finish
bindkey '^F' finish
zstyle ':completion:*' insert-tab false
print READY
`;

/** Types a line and a tab into a new zsh. */
const CAPTURE = String.raw`
zmodload zsh/zpty
zpty capture zsh -f -i
zpty -w capture 'source ./setup.zsh'
while zpty -r capture line; do [[ $line == *READY* ]] && break; done
zpty -n -w capture "$1"$'\t\C-F'
while zpty -r capture line; do
  [[ $line == *END* ]] && break
  [[ $line == *"HIT "* ]] && print -r -- ${'$'}{${'$'}{line##*HIT }%%$'\r'*}
done
zpty -d capture
`;

function isInstalled(shell: string): boolean {
  return spawnSync(shell, ['-c', 'exit 0']).status === 0;
}

const COMMANDS = ['check', 'completion', 'explain', 'fmt', 'help', 'lint', 'migrate', 'replay'];

describe.each(Object.keys(SHELLS))('the completion of %s', shell => {
  const offers = SHELLS[shell]!;
  const isTested = shell === 'bash' || isInstalled(shell);

  it.runIf(isTested)('offers the commands', () => {
    expect(offers('tollgate ')).toEqual(expect.arrayContaining(COMMANDS));
  });

  it.runIf(isTested).each([
    ['tollgate ex', ['explain']],
    ['tollgate check --prof', ['--profile']],
    ['tollgate check --profile ', ['edge-v2', 'edge-v2-snake', 'modern']],
    ['tollgate check -f sar', ['sarif']],
    ['tollgate lint --format mark', ['markdown']],
    ['tollgate replay -f c', ['csv']],
    ['tollgate explain name/undeclared-f', ['name/undeclared-field', 'name/undeclared-function']],
    ['tollgate completion ', ['bash', 'fish', 'zsh']],
    ['tollgate help mig', ['migrate']],
    ['tollgate --color n', ['never']],
    ['tollgate keys ', ['create', 'list', 'revoke', 'rotate-encryption']],
    ['tollgate keys create --desc', ['--description']],
    ['tollgate keys create --scope ', ['admin', 'policy', 'read', 'write']],
    ['tollgate keys list --format ', ['json', 'text']],
  ])('offers completions after %j', (line, expected) => {
    expect(offers(line)).toEqual(expected);
  });

  it.runIf(isTested).each([
    ['tollgate plan --target ', ['blog', 'shop']],
    ['tollgate apply prod', ['production']],
    ['tollgate rollback ', ['1', 'production', 'staging']],
  ])('offers what the project has after %j', (line, expected) => {
    expect(offers(line)).toEqual(expected);
  });

  it.runIf(isTested)('offers files with spaces in their names', () => {
    // Each shell marks directories and spaces in its own way.
    const found = offers('tollgate check polic').map(offer => offer.replaceAll(/[\\/]/g, ''));
    expect(found).toEqual(['policies', 'policy one.yaml']);
    expect(offers('tollgate fmt --line-width ').some(offer => offer.startsWith('polic'))).toBe(false);
  });
});

it.each([
  ['tollgate check --format=sar', ['sarif']],
  ['tollgate check -f sarif=polici', ['policies']],
  ['tollgate --color never check --endpoint tls-e', ['tls-edge', 'tls-endpoint']],
  ['tollgate check a.yaml --qu', ['--quiet']],
])('completes what precedes the cursor in bash: %j', (line, expected) => {
  expect(SHELLS.bash!(line)).toEqual(expected);
});
