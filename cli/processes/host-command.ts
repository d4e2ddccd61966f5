import { Command } from 'commander';
import { settingsOf } from '../session/session.ts';
import { withExamples } from '../shell/help-text.ts';
import type { HostedProcess } from './run-processes.ts';

/** Creates a command that runs parts of signalbox until it is stopped. */
export const hostCommand = (
  name: string,
  description: string,
  parts: () => Promise<readonly HostedProcess[]>,
): Command =>
  withExamples(new Command(name), [name, `${name} --http-port 0 --log-level debug`])
    .description(description)
    .option('--http-host <address>', 'where health and metrics are served (SIGNALBOX_HTTP_HOST)')
    .option('--http-port <port>', 'its port; 0 takes a free one (SIGNALBOX_HTTP_PORT)')
    .action(async (_flags: unknown, command: Command) => {
      const settings = await settingsOf(command);
      const [{ runProcesses }, { createLog }, loaded] = await Promise.all([
        import('./run-processes.ts'),
        import('./log.ts'),
        parts(),
      ]);
      process.exit(await runProcesses(loaded, settings, createLog(settings.logLevel)));
    });
