import type { ConfigField, ConfigType, Sample } from '@tollgate/catalog';

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
    value === undefined ? undefined : `Default: \`${printed(value)}\``,
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

function printed(value: Sample): string {
  return JSON.stringify(value);
}
