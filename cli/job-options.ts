import { type Command, Option } from 'commander';

export const namespaceOption = () =>
  new Option('-n, --namespace <name>', 'namespace of the job (default: SIGNALBOX_NAMESPACE, else default)');

export const workflowIdOption = (description = 'the job’s workflow id, instead of its name') =>
  new Option('--workflow-id <id>', description);

/** How every command about one job names it. */
export const aboutJob = (command: Command): Command =>
  command.argument('[name]', 'name of the job').addOption(namespaceOption()).addOption(workflowIdOption());
