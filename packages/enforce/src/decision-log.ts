/** The decision log: JSON lines with what was decided, which `tollgate replay` and `tollgate record` read as recorded traffic. */
import type { Policy, Rule } from '@tollgate/policy';
import {
  type Decision,
  loggedBy,
  policyRequirements,
  recordedFieldsOf,
  type SimulationOptions,
} from '@tollgate/simulator';
import type { Exchange, HeaderFacts, ResponseFacts } from '@tollgate/traffic';
import { UndeterminedError } from './wire.ts';

/** One exchange and what was decided. Members that are not known are missing. Names are those of recorded fields. */
export interface DecisionRecord {
  /** ISO 8601, in UTC. */
  readonly time: string | undefined;
  readonly client_ip: string | undefined;
  readonly client_port: number | undefined;
  readonly server_ip: string | undefined;
  readonly server_port: number | undefined;
  readonly method: string | undefined;
  readonly scheme: string | undefined;
  readonly host: string | undefined;
  readonly target: string | undefined;
  readonly protocol: string | undefined;
  /** Empty for a connection without TLS. */
  readonly tls_version: string | undefined;
  readonly tls_cipher: string | undefined;
  readonly server_name: string | undefined;
  readonly alpn: string | undefined;
  /** Those that the policy reads: a list of values, or null for one that was not sent. */
  readonly request_headers: LoggedValues | undefined;
  /** That of the upstream; missing if it was not asked. */
  readonly status: number | undefined;
  readonly response_headers: LoggedValues | undefined;
  readonly decision: DecisionFacts;
}

type LoggedValues = Readonly<Record<string, readonly string[] | null>>;

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

/** The headers that a policy reads, in lower case; undefined if it reads all. */
interface LoggedHeaders {
  readonly request: ReadonlySet<string> | undefined;
  readonly response: ReadonlySet<string> | undefined;
}

/** Returns the headers that a decision log needs so that its replay gives the same decisions. */
export function loggedHeaders(
  policy: Policy,
  preparation: Pick<SimulationOptions, 'profile' | 'environments'>,
): LoggedHeaders {
  const needs = policyRequirements(policy, preparation).flatMap(({ conditions, actions }) => [
    ...conditions,
    ...actions.flatMap(action => action.needs),
  ]);
  const fields = new Set(needs.flatMap(need => recordedFieldsOf(need)));
  const named = (message: string) => {
    if (fields.has(message)) return undefined;
    const prefix = `${message}.`;
    const names = [...fields].filter(field => field.startsWith(prefix)).map(field => field.slice(prefix.length));
    return new Set(names.map(name => name.toLowerCase()));
  };
  return { request: named('request_headers'), response: named('response_headers') };
}

/** What a record says in addition to the exchange. */
interface RecordContext {
  readonly mode: 'enforce' | 'shadow';
  readonly policy: Policy;
  readonly profile: SimulationOptions['profile'];
  readonly logged: LoggedHeaders;
}

/** Returns the record of an exchange. */
export function decisionRecord(
  exchange: Exchange,
  response: ResponseFacts | undefined,
  decision: Decision | UndeterminedError,
  { mode, policy, profile, logged }: RecordContext,
): DecisionRecord {
  const { time, clientIp, connection, method, scheme, target, protocol, tls, requestHeaders } = exchange;
  return {
    time: time === undefined ? undefined : new Date(time).toISOString(),
    client_ip: clientIp,
    client_port: connection?.clientPort,
    server_ip: connection?.serverIp,
    server_port: connection?.serverPort,
    method,
    scheme,
    host: requestHeaders.fields.find(({ name }) => name.toLowerCase() === 'host')?.value,
    target,
    protocol,
    tls_version: tls.version,
    tls_cipher: tls.cipherSuite,
    server_name: tls.serverName,
    alpn: tls.alpn,
    request_headers: valuesIn(requestHeaders, logged.request),
    status: response?.status,
    response_headers: response && valuesIn(response.headers, logged.response),
    decision: factsOf(
      decision,
      mode,
      profile.phases.flatMap(phase => policy.rules[phase]),
    ),
  };
}

function valuesIn({ fields }: HeaderFacts, wanted: ReadonlySet<string> | undefined): LoggedValues | undefined {
  const values = new Map<string, string[] | null>([...(wanted ?? [])].map(name => [name, null]));
  for (const { name, value } of fields) {
    const key = name.toLowerCase();
    if (wanted !== undefined && !wanted.has(key)) continue;
    const known = values.get(key);
    if (known) known.push(value);
    else values.set(key, [value]);
  }
  return values.size === 0 ? undefined : Object.fromEntries(values);
}

function factsOf(
  decision: Decision | UndeterminedError,
  mode: DecisionFacts['mode'],
  rules: readonly Rule[],
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
    rules: decision.rules.flatMap(({ status: result }, at) => (result === 'matched' ? [nameOf(rules[at]!)] : [])),
    logged: logged.length === 0 ? undefined : logged,
    needs: isSettled ? undefined : needs,
  };
}

function nameOf({ name, phase, index }: Rule): string {
  return name?.value ?? `${phase} ${index + 1}`;
}
