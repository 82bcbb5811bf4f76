// `tollgate compile`.

import {
  checkedExpr,
  planPolicy,
  policyModule,
  type SqlDialectName,
  sqlQuery,
  type UnsupportedConstruct,
} from '@tollgate/compile';
import { type Diagnostic, jsonText, textReport } from '@tollgate/diagnostics';
import { ANY_HOST, decisionLog, hostProviding, type Refusal, refusalsOf } from '@tollgate/enforce';
import { FETCH_HOST_WITH_ADDRESSES } from '@tollgate/enforce/fetch';
import { NODE_HOST } from '@tollgate/enforce/node';
import { documentRange, findingsInFile, plainValue } from '@tollgate/policy';
import { canonicalModule, wireModule } from '@tollgate/publisher';
import { ruleLabel } from '@tollgate/reports';
import { EXIT, type ExitCode } from '../process/exit-code.ts';
import { reportStyle, type Terminal } from '../process/terminal.ts';
import { replaceFile } from '../trust/replace-file.ts';
import { type LoadedPolicy, loadPolicy, type PolicySettings, reportRefusal } from './load-policy.ts';

/** What a policy can be compiled to. */
type CompileTarget = 'module' | 'ast' | 'payload' | 'sql';

/** The arguments and options of `tollgate compile`. */
interface CompileArguments extends PolicySettings {
  readonly policy: string;
  readonly to: CompileTarget;
  readonly output?: string;
  /** Where a module runs. */
  readonly host: keyof typeof HOSTS;
  /** Actions that the program around a module carries out. */
  readonly provides?: readonly string[];
  readonly dialect: SqlDialectName;
  readonly table: string;
  /** The view that the query is to make. */
  readonly view?: string;
  /** SQL of inputs by path. */
  readonly column?: Readonly<Record<string, string>>;
}

/** Compiles a policy. Constructs that the target cannot express exactly are reported, and nothing is written. */
export async function compilePolicy(args: CompileArguments, terminal: Terminal): Promise<ExitCode> {
  const loaded = await loadPolicy(args.policy, args, terminal);
  if ('refused' in loaded) return reportRefusal(loaded, terminal);
  const compiled = args.to === 'module' ? await moduleText(loaded, args) : compiledText(loaded, args);
  if (typeof compiled !== 'string') {
    const report = { sources: loaded.report.sources, diagnostics: findingsInFile(loaded.embedded, compiled) };
    terminal.writeError(textReport(report, reportStyle(terminal)));
    return EXIT.findings;
  }
  if (args.output === undefined) terminal.write(compiled);
  else {
    const failure = await replaceFile(args.output, compiled);
    if (failure) throw failure;
  }
  return EXIT.clean;
}

/** Where modules run. */
const HOSTS = { any: ANY_HOST, node: NODE_HOST, fetch: FETCH_HOST_WITH_ADDRESSES } as const;

async function moduleText(
  loaded: LoadedPolicy,
  { host, provides = [] }: CompileArguments,
): Promise<string | Diagnostic[]> {
  const { policy, target, environments, source } = loaded;
  const preparation = { profile: target.profile, environments };
  const fault = ({ message, range, action }: Refusal): Diagnostic => ({
    ...{ code: 'compile/unsupported', severity: 'error', uri: source.uri, args: {}, range },
    message:
      action === 'forward-internal'
        ? `${message}; if the program around it does that, say so with \`--provides ${action}\``
        : message,
  });
  // Who starts a module gives it secrets.
  const where = { ...hostProviding(HOSTS[host], provides), knowsSecrets: true };
  const refusals = refusalsOf(policy, preparation, where);
  if (refusals.length > 0) return refusals.map(fault);
  const { policyRuntime } = await import('./policy-runtime.ts');
  const options = { ...preparation, log: decisionLog(policy, preparation), runtime: await policyRuntime() };
  const compiled = policyModule(policy, options);
  return 'code' in compiled ? compiled.code : compiled.uncompiled.map(fault);
}

function compiledText(loaded: LoadedPolicy, args: CompileArguments): string | Diagnostic[] {
  if (args.to === 'ast') return `${jsonText(checkedRules(loaded), 2)}\n`;
  if (args.to === 'payload') return `${jsonText(payload(loaded), 2)}\n`;
  const { policy, target, environments, source } = loaded;
  const planned = planPolicy(policy, { profile: target.profile, environments });
  if ('unsupported' in planned) return [unsupportedDiagnostic(planned.unsupported, args, source.uri)];
  const { dialect, table, view, column: columns = {} } = args;
  const compiled = sqlQuery(planned.plan, { dialect, table, view, columns });
  return 'code' in compiled ? compiled.code : [unsupportedDiagnostic(compiled.unsupported, args, source.uri)];
}

/** Returns the body that publishing sends. */
function payload({ policy }: LoadedPolicy): object {
  const canonical = canonicalModule('policy', plainValue(policy.node));
  return wireModule('policy', canonical ?? { enabled: true, rules: {} }).body;
}

function checkedRules({ policy, target: { profile } }: LoadedPolicy): object {
  const rules = profile.phases.flatMap(phase => policy.rules[phase]);
  return {
    version: 1,
    profile: profile.name,
    endpoint: policy.endpoint,
    rules: rules.map(rule => ({
      rule: ruleLabel(rule),
      ...(rule.name && { name: rule.name.value }),
      expressions: rule.expressions.map(({ source, typed }) => ({ source, checked: checkedExpr(typed!) })),
    })),
  };
}

function unsupportedDiagnostic(
  { construct, expression, range, remedy }: UnsupportedConstruct,
  { dialect }: CompileArguments,
  uri: string,
): Diagnostic {
  const replay = dialect === 'duckdb' ? 'tollgate replay' : `tollgate replay --engine ${dialect}`;
  const elsewhere = `decide the records with \`${replay}\``;
  return {
    code: 'compile/unsupported',
    severity: 'error',
    uri,
    args: { construct },
    message: `unsupported: ${construct}; ${remedy ?? elsewhere}`,
    range: expression === undefined ? range : documentRange(expression.text, range),
  };
}
