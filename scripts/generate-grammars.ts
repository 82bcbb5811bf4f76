/**
 * Writes `cel.ebnf` and `cel.tmLanguage.json`, from the parser's grammar and tokens, and the JSON Schemas of policies and settings, from
 * the catalog, to `grammars/`; the reference pages and the OpenAPI description to `docs/reference/`; and the types of Envoy's messages. With
 * `--check` it writes nothing and exits with code 1 if a file is out of date.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { PROFILES } from '@tollgate/catalog';
import { createEnvironment, EXTENSION_LIBRARIES } from '@tollgate/cel';
import { describeGrammar } from '@tollgate/cel/tooling';
import { openApiDocument } from '@tollgate/edge-api';
import { toEbnf } from './grammars/ebnf.ts';
import { envoyMessages } from './grammars/envoy-messages.ts';
import { policySchemas } from './grammars/policy-schemas.ts';
import { settingsSchemas } from './grammars/settings-schemas.ts';
import { toTextMate } from './grammars/textmate.ts';
import { toHighlights, toTreeSitter } from './grammars/tree-sitter.ts';
import { edgeApiPage } from './reference/edge-api-page.ts';
import { impactPage } from './reference/impact-page.ts';
import { plantedPage } from './reference/planted-page.ts';
import { refusalsPage } from './reference/refusals-page.ts';
import { replayPage } from './reference/replay-page.ts';
import { settingsPage } from './reference/settings-page.ts';
import { invariantsPage, testsPage } from './reference/tests-page.ts';
import { tracePage } from './reference/trace-page.ts';
import { trafficPage } from './reference/traffic-page.ts';
import { undecidedPage } from './reference/undecided-page.ts';

const ROOT = new URL('../', import.meta.url);

function generate(): Record<string, string> {
  const inFolder = Object.entries(grammars()).map(([name, text]) => [`grammars/${name}`, text] as const);
  return {
    ...Object.fromEntries(inFolder),
    'docs/reference/refusals.md': refusalsPage(),
    'docs/reference/settings.md': settingsPage(),
    'docs/reference/invariants.md': invariantsPage(),
    'docs/reference/tests.md': testsPage(),
    'docs/reference/trace.md': tracePage(),
    'docs/reference/impact.md': impactPage(),
    'docs/reference/replay.md': replayPage(),
    'docs/reference/traffic.md': trafficPage(),
    'docs/reference/planted.md': plantedPage(),
    'docs/reference/undecided.md': undecidedPage(ROOT),
    'docs/reference/edge-api.md': edgeApiPage(),
    'packages/enforce/src/envoy/messages.ts': envoyMessages(ROOT),
    'docs/reference/openapi.json': `${JSON.stringify(openApiDocument(), null, 1)}\n`,
  };
}

function grammars(): Record<string, string> {
  const grammar = describeGrammar();
  const { macros, typeNames } = createEnvironment({ libraries: EXTENSION_LIBRARIES });
  const macroNames = new Set([...macros.values()].map(({ name }) => name));
  const types = [...typeNames].filter(name => !name.includes('.'));
  return {
    'cel.ebnf': toEbnf(grammar),
    'cel.tmLanguage.json': toTextMate(grammar, { macros: [...macroNames], types }),
    'tree-sitter-cel/src/grammar.json': toTreeSitter(grammar),
    'tree-sitter-cel/queries/highlights.scm': toHighlights(grammar, { macros: [...macroNames], types }),
    ...policySchemas(PROFILES),
    ...settingsSchemas(),
  };
}

function read(file: URL): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

const stale = Object.entries(generate()).filter(([name, text]) => read(new URL(name, ROOT)) !== text);
if (process.argv.includes('--check')) {
  for (const [name] of stale) console.error(`${name} is not current: run \`npm run generate\``);
  process.exitCode = stale.length > 0 ? 1 : 0;
} else {
  for (const [name, text] of stale) {
    mkdirSync(new URL('.', new URL(name, ROOT)), { recursive: true });
    writeFileSync(new URL(name, ROOT), text);
  }
  console.log(stale.length > 0 ? `written: ${stale.map(([name]) => name).join(', ')}` : 'all current');
}
