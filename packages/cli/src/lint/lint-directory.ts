import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCaptured } from '../run-captured.ts';

/** What a run of `tollgate lint` gave. */
export interface LintOutcome {
  readonly code: number;
  /** With `~` for the directory. */
  readonly err: string;
  /** What stands before the report. */
  readonly before: string;
  /** `CODE SEVERITY` of each finding. */
  readonly codes: readonly string[];
  readonly report: {
    readonly diagnostics: readonly { readonly uri: string; readonly code: string; readonly message: string }[];
    readonly files: readonly string[];
  };
}

/** A directory that tests write files to and lint. */
export class LintDirectory {
  #path = '';

  make(): string {
    this.#path = mkdtempSync(join(tmpdir(), 'tollgate-lint-'));
    return this.#path;
  }

  remove(): void {
    rmSync(this.#path, { recursive: true });
  }

  readonly write = (files: Readonly<Record<string, string>>): void => {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(join(this.#path, name, '..'), { recursive: true });
      writeFileSync(join(this.#path, name), text);
    }
  };

  readonly read = (name: string): string => readFileSync(join(this.#path, name), 'utf8');

  /** Runs `tollgate lint` on files of the directory. */
  readonly lint = async (
    files: readonly string[],
    options: readonly string[] = [],
    input = '',
  ): Promise<LintOutcome> => {
    const paths = files.map(file => (file === '-' ? file : join(this.#path, file)));
    const run = await runCaptured(['lint', '--format', 'json', ...options, '--', ...paths], {
      input,
      env: { TOLLGATE_TRUST: '1' },
    });
    const { code, output: out, errors: err } = run;
    const start = out.indexOf('{\n  "version"');
    const report = start < 0 ? undefined : JSON.parse(out.slice(start));
    const codes = report?.diagnostics.map((one: { code: string; severity: string }) => `${one.code} ${one.severity}`);
    return { code, err: err.replaceAll(this.#path, '~'), before: out.slice(0, Math.max(start, 0)), codes, report };
  };
}
