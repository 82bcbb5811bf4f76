import { commands, type Disposable, type LogOutputChannel } from 'vscode';
import { explainCode } from './explain.ts';
import { showImpact, showTrafficImpact } from './impact.ts';
import { showMenu } from './menu.ts';
import { openLocation, openRule } from './open.ts';
import { replayTraffic } from './replay.ts';
import type { Session } from './session.ts';
import { tracePolicy, traceRule } from './trace.ts';

/** Registers all commands but those of tests. */
export function registerCommands(session: Session, log: LogOutputChannel): readonly Disposable[] {
  const { registerCommand } = commands;
  return [
    registerCommand('tollgate.traceRule', (uri, phase, number) => traceRule(session, uri, phase, number)),
    registerCommand('tollgate.tracePolicy', uri => tracePolicy(session, uri)),
    registerCommand('tollgate.replayTraffic', uri => replayTraffic(session, uri)),
    registerCommand('tollgate.replayRule', (uri, phase, number) => replayTraffic(session, uri, { phase, number })),
    registerCommand('tollgate.showImpact', uri => showImpact(session, uri)),
    registerCommand('tollgate.showTrafficImpact', uri => showTrafficImpact(session, uri)),
    registerCommand('tollgate.explainCode', code => explainCode(session, code)),
    registerCommand('tollgate.openLocation', openLocation),
    registerCommand('tollgate.openRule', openRule),
    registerCommand('tollgate.showMenu', showMenu),
    registerCommand('tollgate.showLog', () => log.show()),
    registerCommand('tollgate.restartServer', () => session.server.restart()),
  ];
}
