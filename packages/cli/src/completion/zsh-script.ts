import { type CommandSpec, type CompletionSpec, listCommand, type OptionSpec, type Values } from './completion-spec.ts';

/** Returns a script for zsh, to be sourced or stored as `_tollgate` in a folder of `fpath`. */
export function zshScript(spec: CompletionSpec): string {
  return `#compdef tollgate
# Completion of tollgate for zsh: source <(tollgate completion zsh)
${groupFunctions('_tollgate', spec)}

if [[ $funcstack[1] == _tollgate ]]; then _tollgate "$@"; else compdef _tollgate tollgate; fi
`;
}

/** Returns a function for a group of commands, after those of its subgroups. */
function groupFunctions(name: string, { options, commands }: CompletionSpec): string {
  const inner = commands
    .filter(command => command.commands.length > 0)
    .map(command => groupFunctions(`${name}_${command.name}`, command));
  const offered = commands.map(command => `    ${quote(`${command.name}:${command.summary}`)}`);
  return `${inner.map(text => `${text}\n\n`).join('')}${name}_commands() {
  local -a commands=(
${offered.join('\n')}
  )
  _describe -t commands command commands
}

${name}() {
  local curcontext="$curcontext" state line
  typeset -A opt_args
  _arguments -C \\
${lines(options)}
    '1: :${name}_commands' \\
    '*:: :->argument'
  [[ $state == argument ]] || return
  case $words[1] in
${commands.map(command => commandCase(name, command)).join('\n')}
  esac
}`;
}

function lines(options: readonly OptionSpec[]): string {
  return options.map(option => `    ${optionText(option)} \\`).join('\n');
}

function commandCase(group: string, { name, options, args, commands }: CommandSpec): string {
  if (commands.length > 0) return `    ${name}) ${group}_${name} ;;`;
  const last = args.at(-1);
  const rest = last ? [`      ${quote(`*:argument:${action(last)}`)}`] : [];
  return `    ${name})
      _arguments -s \\
${[...options.map(option => `        ${optionText(option)}`), ...rest.map(line => `  ${line}`)].join(' \\\n')} ;;`;
}

/** Returns an option: `'*'{-f,--format}'[output format]:value:(text json)'`. */
function optionText({ names, description, values }: OptionSpec): string {
  const about = `[${description.replaceAll(/[[\]\\]/g, character => `\\${character}`)}]`;
  const value = values ? `:value:${action(values)}` : '';
  const alternatives = names.length > 1 ? `{${names.join(',')}}` : names[0]!;
  return `'*'${alternatives}${quote(about + value)}`;
}

function action(values: Values): string {
  if (values.kind === 'words') return `(${values.words.join(' ')})`;
  if (values.kind === 'project') return `{compadd -- ${'$'}{(f)"$(${listCommand('zsh', values.lists)})"}}`;
  return values.kind === 'file' ? '_files' : ' ';
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
