import { Command } from 'commander';
import type { NotificationFilter } from '../../client/use-cases/notifications/list-notifications.ts';
import { allOf } from '../../language/all-of.ts';
import { momentOf, positive } from '../input/parse.ts';
import { printListed } from '../print/listed.ts';
import { type Format, headingsOption, outputOption, print, type TableFormat } from '../print/output.ts';
import { settingsOf, withClient } from '../session/session.ts';
import { settingOptions } from '../settings/setting-options.ts';
import { withExamples } from '../shell/help-text.ts';

const HELP = `A file of routes says who is told what (docs/notifications.md): SIGNALBOX_NOTIFICATIONS, or --notifications, names it. A
notifier (\`signalbox notifier\`, or \`up\`) tells it.`;

export const notifyCommand = (): Command =>
  withExamples(
    new Command('notify'),
    ['notify check routes.yaml', 'notify test vision', 'notify list', 'notify list train --undelivered'],
    HELP,
  )
    .description('check the routes of notifications, test a receiver, list what was told to whom')
    .addCommand(checkCommand())
    .addCommand(testCommand())
    .addCommand(listCommand());

const checkCommand = (): Command =>
  withExamples(settingOptions(new Command('check'), ['notifications']), [
    'notify check',
    'notify check routes.yaml',
    'notify check routes.yaml -o json',
  ])
    .description('say every fault of a file of routes, and which secrets cannot be read here')
    .argument('[file]', 'the file; default: the one that is set')
    .addOption(outputOption())
    .action(async (file: string | undefined, { output }: { output: Format }, command: Command) => {
      const { notifications } = await settingsOf(command);
      const [{ checkedRoutes }, { routesText }] = await Promise.all([
        import('../notify/checked-routes.ts'),
        import('../notify/routes-text.ts'),
      ]);
      const checked = await checkedRoutes(file ?? notifications);
      await print(checked, output, () => routesText(checked));
    });

const testCommand = (): Command =>
  withExamples(settingOptions(new Command('test'), ['notifications']), [
    'notify test vision',
    'notify test vision --notifications routes.yaml',
    'notify test mail --owner ana@example.com',
  ])
    .description('send a message to a receiver from here, and say what it answers')
    .argument('<receiver>', 'its name in the file of routes')
    .option('--owner <address>', 'as if a job named this owner')
    .addOption(outputOption())
    .action(async (receiver: string, { output, owner }: TestFlags, command: Command) => {
      const { notifications } = await settingsOf(command);
      const { testReceiver } = await import('../notify/test-receiver.ts');
      const result = await testReceiver(notifications, receiver, owner);
      await print(result, output, () => `${receiver} took it: ${result.answer}`);
    });

interface TestFlags {
  readonly output: Format;
  readonly owner?: string;
}

interface ListFlags extends Pick<NotificationFilter, 'route' | 'since' | 'undelivered'> {
  readonly namespace?: string;
  readonly limit: number;
  readonly headers: boolean;
  readonly output: TableFormat;
}

const listCommand = (): Command =>
  withExamples(new Command('list'), [
    'notify list',
    'notify list train',
    'notify list --undelivered -o json',
    'notify list --route vision --since 1d',
  ])
    .description('list what was told to whom: what is not delivered first, then the newest')
    .argument('[name]', 'only about the jobs of this name')
    .option('--route <name>', 'only of this route')
    .option(
      '--since <time>',
      'only about what began then or later: RFC 3339, a day, or a duration ago',
      momentOf,
    )
    .option('--undelivered', 'only what has not been delivered')
    .option('--limit <number>', 'show at most this many', positive, 50)
    .addOption(headingsOption())
    .addOption(outputOption('name'))
    .action(async (name: string | undefined, flags: ListFlags, command: Command) => {
      const { limit, headers, output, route, since, undelivered } = flags;
      const { namespace: typed } = command.optsWithGlobals<{ namespace?: string }>();
      await withClient(command, async ({ client, settings }) => {
        const namespace = name === undefined ? typed : (settings.namespace ?? 'default');
        const found = await allOf(
          client.notifications({ name, namespace, route, since, undelivered, limit: limit + 1 }),
        );
        const { notificationTable } = await import('../notify/notification-table.ts');
        await printListed(found, {
          ...{ output, limit, what: 'notifications' },
          nameOf: ({ workflowId }) => workflowId,
          text: (shown) => (shown.length > 0 ? notificationTable(shown, headers) : 'No notifications.'),
        });
      });
    });
