/** The decision log: JSON lines with what was decided, which `tollgate replay` and `tollgate record` read as recorded traffic. */
import type { Policy, Rule } from '@tollgate/policy';
import {
  type Decision,
  LIVE_EFFECTS,
  loggedBy,
  policyRequirements,
  recordedFieldsOf,
  type SimulationOptions,
  verdictsIn,
} from '@tollgate/simulator';
import { type Exchange, exchangeRecord, type HeaderFacts, type ResponseFacts, verdictsText } from '@tollgate/traffic';
import { UndeterminedError } from './wire.ts';

/**
 * One exchange, as `exchangeRecord` of `@tollgate/traffic` names its members, and what was decided. Of the headers it has those that the policy
 * reads, also credentials. There is no `status` if the upstream was not asked.
 */
export interface DecisionRecord extends Readonly<Record<string, unknown>> {
  readonly decision: DecisionFacts;
}

/** What was decided. */
export interface DecisionFacts {
  /** `enforce`: this is what was done. `shadow`: it would have been. */
  readonly mode: 'enforce' | 'shadow';
  /** `passed`, `denied` and so on; `undetermined` if it depended on something that was not known. */
  readonly outcome: string;
  /** The status that the client receives; missing if it receives none. */
  readonly status: number | undefined;
  /** The action that made the outcome. */
  readonly action: string | undefined;
  /** The rules that matched: their names, or phase and number, such as `on_http_request 2`. */
  readonly rules: readonly string[];
  /** What `log` actions logged. */
  readonly logged: readonly unknown[] | undefined;
  /** What the outcome depends on, if it is undetermined. */
  readonly needs: readonly string[] | undefined;
}

/** What a decision log has to know of a policy. */
export interface DecisionLog {
  /** The name of each rule, or its phase and number, in the order of the phases. */
  readonly rules: readonly string[];
  /** The headers that the policy reads, in lower case, so that a replay of the log gives the same decisions; undefined if it reads all. */
  readonly requestHeaders: ReadonlySet<string> | undefined;
  readonly responseHeaders: ReadonlySet<string> | undefined;
  /** {@link verdictsRecord}, for a policy that checks tokens or signatures. */
  readonly verdictsOf?: typeof verdictsRecord;
}

/** Actions whose decision depends on keys or secrets, which a log does not hold. */
const CHECKS: ReadonlySet<string> = new Set(['jwt-validation', 'verify-webhook']);

/** Returns what a record says of tokens and signatures, so that a replay decides about them as it was decided. */
export function verdictsRecord(
  { verdicts = new Map() }: Exchange,
  decision: Decision | UndeterminedError,
): Readonly<Record<string, unknown>> {
  const found = decision instanceof UndeterminedError ? [] : verdictsIn(decision);
  const text = verdictsText(new Map([...verdicts, ...found]));
  return text === undefined ? {} : { verdicts: text };
}

/** Returns what a decision log has to know of a policy. */
export function decisionLog(
  policy: Policy,
  preparation: Pick<SimulationOptions, 'profile' | 'environments'>,
): DecisionLog {
  const needs = policyRequirements(policy, { ...preparation, effects: LIVE_EFFECTS }).flatMap(
    ({ conditions, actions }) => [...conditions, ...actions.flatMap(action => action.needs)],
  );
  const fields = new Set(needs.flatMap(need => recordedFieldsOf(need)));
  const named = (message: string) => {
    if (fields.has(message)) return undefined;
    const prefix = `${message}.`;
    const names = [...fields].filter(field => field.startsWith(prefix)).map(field => field.slice(prefix.length));
    return new Set(names.map(name => name.toLowerCase()));
  };
  return {
    rules: preparation.profile.phases.flatMap(phase => policy.rules[phase].map(nameOf)),
    requestHeaders: named('request_headers'),
    responseHeaders: named('response_headers'),
    ...(Object.values(policy.rules)
      .flat()
      .some(rule => rule.actions.some(({ type }) => CHECKS.has(type.value))) && { verdictsOf: verdictsRecord }),
  };
}

/** What a record says in addition to the exchange. */
export interface RecordContext {
  readonly mode: 'enforce' | 'shadow';
  readonly log: DecisionLog;
}

/** Returns the record of an exchange. */
export function decisionRecord(
  exchange: Exchange,
  response: ResponseFacts | undefined,
  decision: Decision | UndeterminedError,
  context: RecordContext,
): DecisionRecord {
  const { log } = context;
  const recorded = {
    ...exchange,
    requestHeaders: headersRead(exchange.requestHeaders, wantedOf(exchange, log)),
    response: response && { ...response, headers: headersRead(response.headers, log.responseHeaders) },
  };
  return {
    ...exchangeRecord(recorded),
    ...log.verdictsOf?.(exchange, decision),
    decision: decisionFacts(decision, context),
  };
}

/** Returns the request headers that a record needs: also the host, if the URL does not say it as it was sent. */
function wantedOf(
  { url, requestHeaders: { fields } }: Exchange,
  { requestHeaders: wanted }: DecisionLog,
): ReadonlySet<string> | undefined {
  const authority = url?.split('/')[2];
  const isOther = wanted && fields.some(one => one.value !== authority && /^host$/i.test(one.name));
  return isOther ? new Set([...wanted, 'host']) : wanted;
}

/** Returns the headers that a policy reads, with those that were not sent. */
function headersRead(facts: HeaderFacts, wanted: ReadonlySet<string> | undefined): HeaderFacts {
  if (wanted === undefined) return facts;
  const fields = facts.fields.filter(({ name }) => wanted.has(name.toLowerCase()));
  const unclear = new Map([...(facts.unclear ?? [])].filter(([name]) => wanted.has(name)));
  const present = new Set([...fields.map(({ name }) => name.toLowerCase()), ...unclear.keys()]);
  return { ...facts, fields, unclear, absent: [...wanted].filter(name => !present.has(name)) };
}

/** Returns what was decided, as a record says it. */
export function decisionFacts(
  decision: Decision | UndeterminedError,
  { mode, log: { rules } }: RecordContext,
): DecisionFacts {
  if (decision instanceof UndeterminedError)
    return {
      ...{ mode, outcome: 'undetermined', status: mode === 'enforce' ? 500 : undefined, action: undefined },
      ...{ rules: [], logged: undefined, needs: decision.needs },
    };
  const { outcomes, needs, response } = decision;
  const [outcome] = outcomes;
  const isSettled = outcomes.length === 1 && outcome !== undefined;
  const logged = loggedBy(decision);
  const status = response?.status;
  return {
    mode,
    outcome: isSettled ? outcome.kind : 'undetermined',
    status: typeof status === 'number' ? status : undefined,
    action: isSettled ? outcome.action : undefined,
    rules: decision.rules.flatMap(({ status: result }, at) => (result === 'matched' ? [rules[at]!] : [])),
    logged: logged.length === 0 ? undefined : logged,
    needs: isSettled ? undefined : needs,
  };
}

function nameOf({ name, phase, index }: Rule): string {
  return name?.value ?? `${phase} ${index + 1}`;
}
