/**
 * Writes into `grammars/`: `cel.ebnf` and `cel.tmLanguage.json` from the parser's own grammar and tokens, and the JSON Schemas of
 * policies from the catalog. With `--check` it writes nothing, and ends with exit code 1 when a file is not what it would write.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { PROFILES } from '@tollgate/catalog';
import { createEnvironment, describeGrammar } from '@tollgate/cel';
import { toEbnf } from './grammars/ebnf.ts';
import { policySchemas } from './grammars/policy-schemas.ts';
import { toTextMate } from './grammars/textmate.ts';

const FOLDER = new URL('../grammars/', import.meta.url);

function generate(): Record<string, string> {
  const grammar = describeGrammar();
  const { macros, typeNames } = createEnvironment();
  const macroNames = new Set([...macros.values()].map(({ name }) => name));
  const types = [...typeNames].filter(name => !name.includes('.'));
  return {
    'cel.ebnf': toEbnf(grammar),
    'cel.tmLanguage.json': toTextMate(grammar, { macros: [...macroNames], types }),
    ...policySchemas(PROFILES),
  };
}

function read(file: URL): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

const stale = Object.entries(generate()).filter(([name, text]) => read(new URL(name, FOLDER)) !== text);
if (process.argv.includes('--check')) {
  for (const [name] of stale) console.error(`grammars/${name} is not current: run \`npm run generate\``);
  process.exitCode = stale.length > 0 ? 1 : 0;
} else {
  mkdirSync(FOLDER, { recursive: true });
  for (const [name, text] of stale) writeFileSync(new URL(name, FOLDER), text);
  console.log(stale.length > 0 ? `written: ${stale.map(([name]) => name).join(', ')}` : 'all current');
}
