/**
 * Builds what compiled policies run on: the declarations of the runtime, minified, each with those that it needs, so that a module contains only what
 * its policy uses. Nothing of that is decided again when a policy is compiled: a command without a bundler can write modules.
 */
import { fileURLToPath } from 'node:url';
import type { PolicyRuntime } from '@tollgate/compile';
import { build, transform } from 'esbuild';
import { parseSync } from 'oxc-parser';

/** What generated code may refer to. */
const ENTRY = `
export * from '@tollgate/cel/runtime';
export * from '@tollgate/cel/runtime/regex';
export { findPlain, findWithRe2, findWithRegExp, IMPLEMENTATIONS } from '@tollgate/policy';
export * from '@tollgate/simulator/compiled';
export { compiledModule, compiledModuleWithSecrets, compiledModuleWithTokens, verdictsRecord } from '@tollgate/enforce/compiled';
`;

/** Returns the runtime of compiled policies. */
export async function policyRuntime(): Promise<PolicyRuntime> {
  const { statements, exported } = statementsOf(await bundled());
  const numbers = new Map(statements.flatMap(({ names }, at) => names.map(name => [name, at] as const)));
  const short = new Map([...numbers.keys()].map((name, at) => [name, `$$${at.toString(36)}`]));
  const declarations = await Promise.all(
    statements.map(async ({ code, names }) => {
      const minified = (await transform(code, { minify: true, target: 'es2022' })).code.trimEnd();
      const found = renamed(minified, short);
      const needs = new Set([...found.names].map(name => numbers.get(name)!));
      return { code: found.code, needs: [...needs].sort((a, b) => a - b), declares: names.length > 0 };
    }),
  );
  // What only changes what others declare belongs to them.
  const complete = declarations.map(({ code, needs }, at) => {
    const changes = declarations.flatMap((one, other) => (!one.declares && one.needs.includes(at) ? [other] : []));
    return { code, needs: [...needs, ...changes] };
  });
  const exports = [...exported].map(([name, local]) => [name, { at: numbers.get(local)!, name: short.get(local)! }]);
  return { declarations: complete, exports: Object.fromEntries(exports) };
}

async function bundled(): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: ENTRY, resolveDir: fileURLToPath(new URL('../../packages/enforce/src', import.meta.url)) },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    target: 'es2022',
    conditions: ['tollgate-source'],
    treeShaking: true,
    logLevel: 'error',
  });
  return outputFiles[0]!.text;
}

interface Statement {
  readonly code: string;
  readonly names: readonly string[];
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [member: string]: unknown;
}

function programOf(code: string): readonly Node[] {
  const { program, errors } = parseSync('runtime.js', code);
  if (errors.length > 0) throw new Error(errors[0]!.message);
  return nodesIn(program.body);
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof Reflect.get(value, 'type') === 'string';
}

function nodesIn(values: unknown): readonly Node[] {
  return Array.isArray(values) ? values.filter(isNode) : [];
}

function nameOf(identifier: unknown): string {
  if (!isNode(identifier)) throw new Error('expected an identifier');
  return String(identifier.name);
}

function statementsOf(code: string): {
  readonly statements: readonly Statement[];
  readonly exported: ReadonlyMap<string, string>;
} {
  const statements: Statement[] = [];
  const exported = new Map<string, string>();
  for (const node of programOf(code)) {
    if (node.type === 'ExportNamedDeclaration') {
      for (const one of nodesIn(node.specifiers)) exported.set(nameOf(one.exported), nameOf(one.local));
    } else statements.push({ code: code.slice(node.start, node.end), names: declaredIn(node) });
  }
  return { statements, exported };
}

function declaredIn(node: Node): readonly string[] {
  if (node.type === 'VariableDeclaration')
    return nodesIn(node.declarations).flatMap(({ id }) =>
      isNode(id) ? identifiersIn(id).map(({ name }) => name) : [],
    );
  return isNode(node.id) ? [nameOf(node.id)] : [];
}

/**
 * Replaces the names of declarations. The minifier gives locals other names than the declarations that a statement refers to; a local with the name of
 * another declaration is renamed as well, everywhere in the statement, which changes nothing.
 */
function renamed(code: string, short: ReadonlyMap<string, string>): { code: string; names: ReadonlySet<string> } {
  const names = new Set<string>();
  let [text, end] = ['', 0];
  for (const { name, start, isShorthand } of programOf(code).flatMap(node => identifiersIn(node))) {
    const other = short.get(name);
    if (other === undefined) continue;
    names.add(name);
    text += code.slice(end, start) + (isShorthand ? `${name}:${other}` : other);
    end = start + name.length;
  }
  return { code: text + code.slice(end), names };
}

interface Found {
  readonly name: string;
  readonly start: number;
  /** `{ name }` instead of `{ name: name }`. */
  readonly isShorthand: boolean;
}

/** Returns the identifiers that are references or declarations, in order; names of properties and labels are neither. */
function identifiersIn(node: Node): readonly Found[] {
  const found: Found[] = [];
  const visit = (at: unknown, isShorthand = false): void => {
    if (Array.isArray(at)) {
      for (const one of at) visit(one);
      return;
    }
    if (!isNode(at)) return;
    const { type, ...members } = at;
    if (type === 'Identifier') {
      found.push({ name: nameOf(at), start: members.start, isShorthand });
      return;
    }
    for (const [name, member] of Object.entries(members)) {
      const isName = (name === 'key' || name === 'property') && members.computed !== true;
      if (name === 'label' || (isName && type !== 'PrivateInExpression')) continue;
      visit(member, type === 'Property' && name === 'value' && members.shorthand === true);
    }
  };
  visit(node);
  return found.sort((a, b) => a.start - b.start);
}
