import {
  type ActionFact,
  type ConfigField,
  type ConfigType,
  type FunctionFact,
  type Phase,
  type Profile,
  terminationDoc,
  type VariableFact,
} from '@tollgate/catalog';
import { type Environment, type FunctionDecl, formatType, type Overload, type Type } from '@tollgate/cel';

/** Describes an input of expressions in Markdown. */
export function describeVariable(fact: VariableFact): string {
  const { path, type, doc, example, absent, deprecated, phases, since, setBy } = fact;
  return paragraphs([
    fenced(`${path}: ${type}`),
    doc,
    `Example: \`${example.expression}\` is \`${example.value}\``,
    absent &&
      `Absent when ${absent.when}${absent.value === undefined ? '; reading it is then an error' : `; then it is \`${absent.value}\``}.`,
    deprecated && `Deprecated${deprecated.use === undefined ? '' : `; use \`${deprecated.use}\``}.`,
    setBy && `Set by \`${setBy}\`.`,
    `Phases: ${phases.map(phase => `\`${phase}\``).join(', ')}${since === undefined ? '' : `. Since ${since}`}`,
  ]);
}

/** Describes an action in Markdown. */
export function describeAction(fact: ActionFact): string {
  const { type, doc, outcome, phases, example } = fact;
  return paragraphs([
    `**${type}**`,
    doc,
    terminationDoc(fact),
    `What the client sees: ${outcome}.`,
    `Phases: ${phases.map(phase => `\`${phase}\``).join(', ')}`,
    example !== undefined && fenced(exampleOf(fact), 'yaml'),
  ]);
}

function exampleOf({ type, example }: ActionFact): string {
  return `type: ${type}\nconfig: ${JSON.stringify(example, undefined, 2)}`;
}

/** Describes a phase in Markdown. */
export function describePhase(profile: Profile, phase: Phase): string {
  const fact = profile.phaseFacts[phase];
  const endpoints = (fact?.endpoints ?? []).map(one => `\`${one}\``).join(', ');
  return paragraphs([`\`${phase}\``, fact?.doc, endpoints && `Endpoints: ${endpoints}`]);
}

/** A signature with the ranges of its parameters in the label. */
interface SignatureText {
  readonly label: string;
  readonly parameters: readonly (readonly [start: number, end: number])[];
}

/** Returns a signature such as `target.f(name: string) -> bool`. The catalog knows the names of some parameters. */
export function signatureText(
  name: string,
  { member, params, result }: Overload,
  names: readonly string[] = [],
): SignatureText {
  const target = member ? params[0] : undefined;
  const rest = member ? params.slice(1) : params;
  const shown = rest.map((type, index) => {
    const label = names[index + (member ? 1 : 0)];
    return label === undefined ? formatType(type) : `${label}: ${formatType(type)}`;
  });
  let label = `${target ? `${formatType(target)}.` : ''}${name}(`;
  const parameters = shown.map((text, index): readonly [number, number] => {
    if (index > 0) label += ', ';
    const start = label.length;
    label += text;
    return [start, label.length];
  });
  return { label: `${label}) -> ${formatType(result)}`, parameters };
}

/** Describes a function, or the overloads of it that a call may mean, in Markdown. */
export function describeFunction(
  decl: FunctionDecl,
  overloads: readonly Overload[],
  facts: readonly FunctionFact[],
): string {
  const shown = overloads.slice(0, MAX_SIGNATURES);
  const signatures = shown.map(one => signatureText(decl.name, one, namesOf(one, facts)).label);
  const [example] = shown.flatMap(one => one.examples ?? []);
  const opaque = facts.find(fact => shown.some(one => one.id === fact.overloadId))?.opaque;
  return paragraphs([
    fenced(signatures.join('\n')),
    overloads.length > shown.length && `and ${overloads.length - shown.length} more overloads`,
    decl.doc,
    example && `Example: \`${example.expression}\` is \`${example.value}\``,
    opaque && `Its result is not known here, because ${opaque}.`,
  ]);
}

const MAX_SIGNATURES = 6;

/** Returns the names of the parameters of an overload; none if the catalog does not name them. */
export function namesOf({ id }: Overload, facts: readonly FunctionFact[]): readonly string[] {
  return facts.find(fact => fact.overloadId === id)?.params.map(param => param.name) ?? [];
}

/** Describes a macro in Markdown. */
export function describeMacro(name: string, environment: Environment): string | undefined {
  const macro = [...environment.macros.values()].find(one => one.name === name);
  return macro && paragraphs([fenced(name), macro.doc]);
}

/** Describes an object type or any other type in Markdown. */
export function describeType(name: string, type: Type, doc: string | undefined): string {
  return paragraphs([fenced(`${name}: ${formatType(type)}`), doc]);
}

/** Returns a configuration type in words, such as `an integer from 100 to 599`. */
function typeInWords(type: ConfigType): string {
  switch (type.kind) {
    case 'bool':
      return '`true` or `false`';
    case 'int':
      return type.values ? `one of ${type.values.join(', ')}` : `an integer from ${type.min} to ${type.max}`;
    case 'number':
      return `a number from ${type.min} to ${type.max}`;
    case 'choice':
      return `one of ${type.values.map(value => `\`${value}\``).join(', ')}`;
    case 'shape':
      return type.expected;
    case 'duration':
      return 'a duration such as `90s` or `1h30m`';
    case 'list':
      return `a list; each item is ${typeInWords(type.of)}`;
    case 'map':
      return `a map; each value is ${typeInWords(type.value)}`;
    case 'object':
      return 'a map';
    case 'expression':
      return 'a CEL expression';
    case 'any':
      return 'any value';
    case 'cidr':
      return 'an IP address or range';
    case 'regex':
      return 'an RE2 pattern';
    case 'header-name':
      return 'a header name';
    case 'credentials':
      return '`user:password`';
    default:
      return `a ${type.kind}`;
  }
}

/** Describes a key in Markdown. */
export function describeField({ name, type, doc, required, default: value, deprecated }: ConfigField): string {
  return paragraphs([
    `\`${name}\`: ${typeInWords(type)}${required ? ', required' : ''}`,
    doc,
    value === undefined ? undefined : `Default: \`${JSON.stringify(value)}\``,
    deprecated && (deprecated.use === undefined ? 'Deprecated.' : `Deprecated; use \`${deprecated.use}\`.`),
  ]);
}

/** Joins the parts that exist with empty lines. */
export function paragraphs(parts: readonly (string | undefined | false)[]): string {
  return parts.filter(part => part).join('\n\n');
}

/** Returns a fenced block of code. */
export function fenced(source: string, language = 'cel'): string {
  return `\`\`\`${language}\n${source}\n\`\`\``;
}
