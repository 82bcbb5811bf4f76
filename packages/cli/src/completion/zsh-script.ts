import type { CommandSpec, CompletionSpec, OptionSpec, Values } from './completion-spec.ts';

/** A script for zsh: sourced, or as a file `_tollgate` in a folder of `fpath`. */
export function zshScript(spec: CompletionSpec): string {
  const commands = spec.commands.map(({ name, summary }) => `    ${quote(`${name}:${summary}`)}`);
  return `#compdef tollgate
# Completion of tollgate for zsh: source <(tollgate completion zsh)
_tollgate_commands() {
  local -a commands=(
${commands.join('\n')}
  )
  _describe -t commands command commands
}

_tollgate() {
  local curcontext="$curcontext" state line
  typeset -A opt_args
  _arguments -C \\
${lines(spec.options)}
    '1: :_tollgate_commands' \\
    '*:: :->argument'
  [[ $state == argument ]] || return
  case $words[1] in
${spec.commands.map(commandCase).join('\n')}
  esac
}

if [[ $funcstack[1] == _tollgate ]]; then _tollgate "$@"; else compdef _tollgate tollgate; fi
`;
}

function lines(options: readonly OptionSpec[]): string {
  return options.map(option => `    ${optionText(option)} \\`).join('\n');
}

function commandCase({ name, options, args }: CommandSpec): string {
  const last = args.at(-1);
  const rest = last ? [`      ${quote(`*:argument:${action(last)}`)}`] : [];
  return `    ${name})
      _arguments -s \\
${[...options.map(option => `        ${optionText(option)}`), ...rest.map(line => `  ${line}`)].join(' \\\n')} ;;`;
}

/** `'*'{-f,--format}'[how to report]:value:(text json)'`. */
function optionText({ names, description, values }: OptionSpec): string {
  const about = `[${description.replaceAll(/[[\]\\]/g, character => `\\${character}`)}]`;
  const value = values ? `:value:${action(values)}` : '';
  const alternatives = names.length > 1 ? `{${names.join(',')}}` : names[0]!;
  return `'*'${alternatives}${quote(about + value)}`;
}

function action(values: Values): string {
  if (values.kind === 'words') return `(${values.words.join(' ')})`;
  return values.kind === 'file' ? '_files' : ' ';
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
