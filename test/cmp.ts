import { createEnvironment, parse } from '@tollgate/cel';
import { KIND_ADORNER, toDebugString } from '/work/wt/syntax/test/conformance/debug-string.ts';
for (const f of ['parsing', 'comprehension', 'conformance', 'checking']) {
  const { tests } = await import(`@bufbuild/cel-spec/testdata/${f}.js`);
  const all: any[] = [];
  (function walk(s: any) { for (const t of s.tests ?? []) all.push(t); for (const x of s.suites ?? []) walk(x); })(tests);
  const std = createEnvironment(f === 'conformance' ? {} : { libraries: [] });
  let same = 0, diff = 0, rejOk = 0, rejBad = 0;
  for (const t of all) {
    const env = { macros: std.macros, limits: { ...std.limits, maxDepth: f === 'parsing' ? 32 : 250 }, ...(f === 'conformance' ? {} : { switchedOff: new Set(['optionals', 'quoted-names'] as const) }) };
    const r = parse(t.original.expr, env);
    if (t.ast === undefined) { if (r.diagnostics.length > 0) rejOk++; else { rejBad++; console.log('ACCEPTED', f, t.original.expr, t.error); } continue; }
    const got = toDebugString(r.ast.root, KIND_ADORNER);
    if (got === t.ast) same++; else { diff++; if (diff < 12) console.log('DIFF', f, t.original.expr, '\n', r.diagnostics.map(d=>d.message), got.slice(0, 600), '\n<>\n', t.ast.slice(0, 600)); }
  }
  console.log(f, { same, diff, rejOk, rejBad });
}
