// A policy in another form, and single expressions with the values of their parts.

import { checkedExpr, planPolicy, SQL_DIALECTS, sqlQuery, type UnsupportedConstruct } from '@tollgate/compile';
import { preparePolicy } from '@tollgate/core/documents';
import { ANSI, type Diagnostic, jsonText, SourceText, textReport } from '@tollgate/diagnostics';
import { checkExpression, createPhaseEnvironments, documentRange, findingsInFile } from '@tollgate/policy';
import { buildView, ruleLabel, textExpression } from '@tollgate/reports';
import { createSimulation } from '@tollgate/simulator';
import type { CompileJob, ExpressionJob, JobResult } from '../jobs.ts';
import type { LoadedPolicy } from '../project/load-policy.ts';
import { type LoadedProject, targetingOf } from '../project/load-project.ts';
import { RequestError, readRequests } from './requests.ts';
import { runSettings } from './trace-and-replay.ts';

/** Returns a policy as code. What the target cannot express exactly is an error. */
export function compilePolicy(loaded: LoadedPolicy, { to, width }: CompileJob): JobResult {
  if (to === 'ast') return { text: `${jsonText(checkedRules(loaded), 2)}\n`, isBad: false };
  const { policy, target, environments, embedded } = loaded;
  const planned = planPolicy(policy, { profile: target.profile, environments });
  const dialect = SQL_DIALECTS.find(name => to === `sql-${name}`) ?? 'duckdb';
  const compiled =
    'unsupported' in planned
      ? planned
      : sqlQuery(planned.plan, { dialect, table: 'traffic', view: undefined, columns: {} });
  if ('code' in compiled) return { text: compiled.code, isBad: false };
  const found = findingsInFile(embedded, [unsupported(compiled.unsupported, embedded.source.uri)]);
  return { text: textReport({ sources: [embedded.file], diagnostics: found }, { paint: ANSI, width }), isBad: true };
}

function unsupported({ construct, expression, range, remedy }: UnsupportedConstruct, uri: string): Diagnostic {
  return {
    ...{ code: 'compile/unsupported', severity: 'error', uri, args: { construct } },
    message: `unsupported: ${construct}${remedy === undefined ? '' : `; ${remedy}`}`,
    range: expression === undefined ? range : documentRange(expression.text, range),
  };
}

function checkedRules({ policy, target: { profile } }: LoadedPolicy): object {
  const rules = profile.phases.flatMap(phase => policy.rules[phase]);
  return {
    ...{ version: 1, profile: profile.name, endpoint: policy.endpoint },
    rules: rules.map(rule => ({
      rule: ruleLabel(rule),
      ...(rule.name && { name: rule.name.value }),
      expressions: rule.expressions.map(({ source, typed }) => ({ source, checked: checkedExpr(typed!) })),
    })),
  };
}

/** Returns an expression with its type, and the values of its parts for each request. */
export function evaluateExpression(project: LoadedProject, job: ExpressionJob): JobResult {
  const { expression, width } = job;
  const requests = readRequests(job.requests);
  if (expression.trim() === '') throw new RequestError('expected an expression, such as `req.url.path`');
  const source = new SourceText('expression', expression);
  const target = targetingOf(project)(new SourceText('policy.yaml', expression));
  if (target instanceof Error) throw target;
  const { profile, endpoint } = target;
  const phase = profile.phases.find(one => one === job.phase) ?? profile.phases[0]!;
  const environments = target.environments ?? createPhaseEnvironments(profile, endpoint);
  const checked = checkExpression(expression, {
    profile,
    place: { phase, endpoint },
    environment: environments[phase],
  });
  const report = { sources: [source], diagnostics: checked.diagnostics.map(one => ({ ...one, uri: source.uri })) };
  const style = { paint: ANSI, width };
  if (checked.typed === undefined) return { text: textReport(report, style), isBad: true };
  if (requests.length === 0) throw new RequestError('expected a request, such as `curl https://example.com/`');
  // A policy that evaluates the expression and nothing else.
  const isCondition = checked.typed.types[checked.typed.ast.root.id]?.kind === 'bool';
  const log = { type: 'log', config: { metadata: { value: `\${${expression}}` } } };
  const rule = isCondition ? { expressions: [expression], actions: [{ type: 'deny' }] } : { actions: [log] };
  const document = new SourceText('policy.json', JSON.stringify({ [phase]: [rule] }));
  const { runnable, diagnostics } = preparePolicy({ source: document, target });
  if (runnable === undefined) return { text: textReport({ sources: [document], diagnostics }, style), isBad: true };
  const run = createSimulation(runnable.policy, { ...runnable, ...runSettings(job) }).begin();
  const shown = requests.map(({ title, exchange }) => {
    const [view] = buildView({ policy: runnable.policy, profile, trace: run.trace(exchange) }).rules;
    const written = isCondition ? view?.expressions[0] : view?.actions[0]?.filled[0];
    const drawn = written === undefined ? 'not evaluated\n' : textExpression(written, style);
    return `${ANSI('strong', title)}\n\n${drawn}`;
  });
  const warnings = report.diagnostics.length === 0 ? '' : `${textReport(report, style)}\n`;
  return { text: `${warnings}${shown.join('\n')}`, isBad: false };
}
