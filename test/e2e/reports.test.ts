import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCaptured } from '@tollgate/cli';
import { REPORT_FORMATS } from '@tollgate/diagnostics';
import { Ajv } from 'ajv';
import { SaxesParser } from 'saxes';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const NAMES = Object.keys(REPORT_FORMATS);
let directory: string;
let exitCode: number;

/** One run over all known kinds of findings, in all formats at once. */
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'tollgate-'));
  const formats = NAMES.flatMap(name => ['-f', `${name}=${join(directory, name)}`]);
  exitCode = (await runCaptured(['check', '--statistics', ...formats, 'test/golden/check', 'examples/policies'])).code;
});

afterAll(() => rmSync(directory, { recursive: true }));

function read(name: string): string {
  return readFileSync(join(directory, name), 'utf8');
}

describe('the reports of one run', () => {
  it('are all written', () => {
    expect(exitCode).toBe(1);
    for (const name of NAMES) expect([name, read(name).length > 0]).toEqual([name, true]);
  });

  it('agree on the number of findings', () => {
    const { diagnostics, counts } = JSON.parse(read('json'));
    const lines = (name: string) =>
      read(name)
        .split('\n')
        .filter(line => line !== '');
    const { error, warning, info, hint } = counts;
    expect(diagnostics.length).toBeGreaterThan(100);
    expect({
      ndjson: lines('ndjson').length - 1,
      sarif: JSON.parse(read('sarif')).runs[0].results.length,
      gitlab: JSON.parse(read('gitlab')).length,
      junit: read('junit').match(/<failure /g)!.length,
      checkstyle: read('checkstyle').match(/<error /g)!.length,
      rdjson: JSON.parse(read('rdjson')).diagnostics.length,
      rdjsonl: lines('rdjsonl').length,
      text: read('text').match(/^(?:error|warning|info|hint)\[/gm)!.length,
    }).toEqual({
      ...Object.fromEntries(
        ['ndjson', 'sarif', 'gitlab', 'checkstyle', 'rdjson', 'rdjsonl', 'text'].map(name => [
          name,
          diagnostics.length,
        ]),
      ),
      junit: error,
    });
    expect(error + warning + info + hint).toBe(diagnostics.length);
    // GitHub shows ten annotations of a step; a line says how many there are besides.
    expect(lines('github')).toHaveLength(11);
    expect(lines('github').at(-1)).toContain(String(diagnostics.length - 10));
  });

  it('name files relative to the root of the repository', () => {
    for (const name of ['json', 'sarif', 'github', 'gitlab', 'rdjson', 'junit', 'checkstyle'])
      expect([name, read(name).includes(process.cwd())]).toEqual([name, false]);
  });

  it('have a different fingerprint for each finding', () => {
    const marks = JSON.parse(read('gitlab')).map(({ fingerprint }: { fingerprint: string }) => fingerprint);
    expect(new Set(marks).size).toBe(marks.length);
  });

  it('are valid SARIF, with a description for every code', () => {
    const schema = createRequire(import.meta.url).resolve('@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json');
    const { $schema: _, id: __, ...draft7 } = JSON.parse(readFileSync(schema, 'utf8'));
    const formats = { uri: true, 'uri-reference': true, 'date-time': true } as const;
    const isValid = new Ajv({ strict: false, unicodeRegExp: false, formats }).compile(draft7);
    const log = JSON.parse(read('sarif'));
    isValid(log);
    expect(isValid.errors).toBeNull();
    const rules: { id: string; shortDescription?: object }[] = log.runs[0].tool.driver.rules;
    expect(rules.filter(rule => !rule.shortDescription)).toEqual([]);
  });

  it.each(['junit', 'checkstyle'])('are well-formed XML: %s', name => {
    const parser = new SaxesParser();
    parser.on('error', error => {
      throw error;
    });
    parser.write(read(name)).close();
  });
});
