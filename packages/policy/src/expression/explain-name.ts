import { type EvaluationContext, type Profile, variablesAt } from '@tollgate/catalog';
import type { Environment } from '@tollgate/cel';
import type { Diagnostic, Range } from '@tollgate/diagnostics';
import { type ForeignName, foreignFunction, foreignVariable, normalizeName } from './foreign-names.ts';

/** Where to look up a name. */
interface NameContext {
  readonly profile: Profile;
  readonly place: EvaluationContext;
  readonly environment: Environment;
}

interface NameInSource extends NameContext {
  /** The source of the expression. */
  readonly source: string;
}

/** Suggests the equivalent of an unknown name that another language, gateway or profile has. Returns the given diagnostic if there is none. */
export function explainName(diagnostic: Diagnostic, source: string, context: NameContext): Diagnostic {
  const meant = meantBy(diagnostic, { ...context, source });
  const { suggestion } = diagnostic.args;
  if (!meant || suggestion === meant.text || (suggestion !== undefined && suggestion === meant.newText))
    return diagnostic;
  const { fixes: _, ...rest } = diagnostic;
  const range = meant.range ?? diagnostic.range;
  const original = diagnostic.message.replace(/; did you mean .*$/, '');
  const message = meant.name === undefined ? original : `\`${meant.name}\` is not declared`;
  const edits = meant.newText === undefined ? [] : [{ range, newText: meant.newText }];
  return {
    ...rest,
    range,
    message: `${message}; write \`${meant.text}\``,
    args: { ...diagnostic.args, suggestion: meant.text },
    ...(edits.length > 0 && { fixes: [{ title: `change to \`${meant.text}\``, applicability: 'suggestion', edits }] }),
  };
}

interface Meant {
  readonly text: string;
  /** Replacement of the marked range; undefined if more has to change. */
  readonly newText: string | undefined;
  /** The whole name and its range, if it is longer than the diagnostic says. */
  readonly name?: string;
  readonly range?: Range;
}

function meantBy({ code, args, range }: Diagnostic, at: NameInSource): Meant | undefined {
  switch (code) {
    case 'name/undeclared-function':
      return functionMeant(String(args.name), at);
    case 'name/undeclared-reference':
      return referenceMeant(String(args.name), range, at);
    case 'name/undeclared-field': {
      const meant = variableMeant(`${args.type}.${args.field}`, at);
      const prefix = `${args.type}.`;
      if (!meant && at.environment.objects.get(String(args.type))?.stringKey !== undefined)
        return lengthMeant(args.field);
      return (
        meant && { ...meant, newText: meant.text.startsWith(prefix) ? meant.text.slice(prefix.length) : undefined }
      );
    }
    case 'type/no-fields':
      return lengthMeant(args.field);
    default:
      return undefined;
  }
}

/** Only `http` of `http.request.method` is reported, so this looks for the longest known name that begins there. */
function referenceMeant(name: string, range: Range, at: NameInSource): Meant | undefined {
  const rest = /^(?:\.[A-Za-z_]\w*)*(?![\w(])/.exec(at.source.slice(range.end))?.[0] ?? '';
  const fields = rest.split('.').slice(1);
  for (let count = fields.length; count >= 0; count--) {
    const whole = [name, ...fields.slice(0, count)].join('.');
    const meant = variableMeant(whole, at);
    if (meant) return { ...meant, name: whole, range: { start: range.start, end: range.start + whole.length } };
  }
  return undefined;
}

function lengthMeant(field: unknown): Meant | undefined {
  return /^(?:length|len|count|size)$/i.test(String(field)) ? { text: 'size()', newText: 'size()' } : undefined;
}

function functionMeant(name: string, { environment }: NameInSource): Meant | undefined {
  const known = new Set([
    ...[...environment.index.callables.values()].map(one => one.declaration.name),
    ...[...environment.macros.values()].map(one => one.name),
  ]);
  return chosen(foreignFunction(name), one => one !== name && known.has(one));
}

function variableMeant(name: string, { profile, place }: NameInSource): Meant | undefined {
  const paths = variablesAt(profile, place).map(one => one.path);
  const known = new Set(paths);
  const foreign = chosen(foreignVariable(name), one => known.has(one));
  if (foreign) return foreign;
  const same = paths.find(path => normalizeName(path) === normalizeName(name));
  return same === undefined ? undefined : { text: same, newText: same };
}

function chosen(foreign: ForeignName | undefined, isKnown: (name: string) => boolean): Meant | undefined {
  const name = foreign?.names.find(isKnown);
  if (!foreign || (name === undefined && (foreign.names.length > 0 || foreign.written === undefined))) return undefined;
  const isConstant = foreign.names.length === 0 && /^\w+$/.test(foreign.written ?? '');
  if (foreign.written !== undefined)
    return { text: foreign.written, newText: isConstant ? foreign.written : undefined };
  return { text: name!, newText: name! };
}
