import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { runCaptured } from '@tollgate/cli';
import { afterEach, beforeEach, expect, inject, it, vi } from 'vitest';
import { ROOT } from '../architecture/source-file.ts';

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'tollgate-guide-'));
  vi.spyOn(process, 'cwd').mockReturnValue(directory);
});

afterEach(() => {
  vi.restoreAllMocks();
  rmSync(directory, { recursive: true });
});

/** A code block: its language, the file that it stands for, and its text. */
interface Block {
  readonly language: string;
  readonly file: string | undefined;
  readonly text: string;
}

function blocksOf(guide: string): readonly Block[] {
  const text = readFileSync(join(ROOT, 'docs/guide', guide), 'utf8');
  return [...text.matchAll(/^```(\w+)(?: title="([^"]+)")?\n(.*?)^```$/gms)].map(
    ([, language = '', file, content = '']) => ({ language, file, text: content }),
  );
}

/** Commands run in this process, whose working directory cannot change: paths become absolute. */
async function runLine(line: string): Promise<string> {
  const [, command = '', code = '0'] = /^(.*?)(?: +# exits with (\d+)| +#.*)?$/.exec(line)!;
  const words = [...command.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(([, a, b, c]) => a ?? b ?? c ?? '');
  const args = words.slice(words.indexOf('tollgate') + 1).map(absolute);
  const ran = await runCaptured(args, { env: { HOME: directory } });
  const said = `${ran.output}${ran.errors}`.replaceAll(`${directory}/`, '').replaceAll(directory, '.');
  expect([line, ran.code, said]).toEqual([line, Number(code), said]);
  return said;
}

/** A path in a word, also behind the name of an option. */
const PATH = /^((?:-{1,2}[\w-]+|\w+)=)?([\w./-]*(?:\/|\.(?:ya?ml|jsonl?|html|log))[\w./-]*(?:#.*)?|\.)$/;

function absolute(word: string): string {
  if (/^[\w-]+$/.test(word)) return existsSync(join(directory, word)) ? join(directory, word) : word;
  const [, option = '', path] = PATH.exec(word) ?? [];
  const isPath = path !== undefined && (/\.\w+(?:#.*)?$|^\.$/.test(path) || existsSync(join(directory, path)));
  return isPath ? `${option}${join(directory, path)}` : word;
}

/**
 * Writes the blocks with a title as files, runs the commands in `sh` blocks, and compares `text` blocks with what the commands of the block
 * before printed.
 */
async function follow(guide: string): Promise<number> {
  let [printed, count] = ['', 0];
  for (const { language, file, text } of blocksOf(guide)) {
    if (file !== undefined) {
      mkdirSync(dirname(join(directory, file)), { recursive: true });
      writeFileSync(join(directory, file), text);
    } else if (language === 'sh') {
      printed = '';
      for (const line of text.split('\n').filter(one => /^(?:npx )?tollgate /.test(one))) {
        printed += await runLine(line);
        count += 1;
      }
    } else if (language === 'text') expect(printed).toContain(text.trimEnd());
  }
  return count;
}

/** Those that load the linter take several seconds, and other quick tests cover their commands. */
const QUICK = ['../../README.md', 'writing-policies.md', 'testing.md', 'reviewing-a-change.md'];
const GUIDES = [...QUICK, 'getting-started.md', 'linting.md', 'replaying.md', 'extending.md'];

it.each(inject('isDeep') ? GUIDES : QUICK)('every command of %s does what the guide says', async guide => {
  expect(await follow(guide)).toBeGreaterThan(1);
});
