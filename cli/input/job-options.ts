import { Argument, type Command, Option } from 'commander';
import { ARCHIVE_STORES, EVIDENCE_STORES } from '../../contracts/settings.ts';
import { GANG_CHOICES } from '../../contracts/training-job.ts';
import { completedBy } from '../shell/completed-by.ts';
import { atMostAYear, seconds } from './parse.ts';

export const namespaceOption = () =>
  completedBy(
    'namespaces',
    new Option('-n, --namespace <name>', 'namespace of jobs (SIGNALBOX_NAMESPACE; else `default`)'),
  );

export const workflowIdOption = (description = 'the job’s workflow id, instead of its name') =>
  new Option('--workflow-id <id>', description);

/** In seconds. */
export const cleanUpTimeoutOption = () =>
  new Option(
    '--clean-up-timeout <duration>',
    'how long to wait for the clean-up of an ended job of the name (default: 10m)',
  ).argParser(atMostAYear(seconds));

/** Adds the arguments that identify a job. */
export const aboutJob = (command: Command): Command =>
  command.addArgument(completedBy('jobs', new Argument('[name]', A_JOB))).addOption(workflowIdOption());

/** Adds the arguments that identify one job or several. */
export const aboutJobs = (command: Command): Command =>
  command.addArgument(completedBy('jobs', new Argument('[name...]', A_JOB))).addOption(workflowIdOption());

const A_JOB = 'NAME, NAMESPACE/NAME, job/NAMESPACE/NAME or a workflow id; then @RUN, e.g. @-1';

/** Adds the arguments of commands that read manifests. */
export const manifestFiles = (command: Command): Command =>
  command
    .argument('<file...>', 'a YAML or JSON file, or a folder of them; - reads standard input')
    .option('--strict', 'refuse unknown fields of the job instead of warning about them');

/** The same settings as those of the workers, so that the output matches what they would create. */
export const configurationOptions = (command: Command): Command =>
  command
    .addOption(
      new Option('--gang <scheduler>', 'the gang scheduler for jobs that name none (SIGNALBOX_GANG)').choices(
        GANG_CHOICES,
      ),
    )
    .option('--coscheduling-name <name>', 'schedulerName of Coscheduling (SIGNALBOX_COSCHEDULING_NAME)')
    .option('--cluster-domain <domain>', 'the domain of the cluster’s DNS names (SIGNALBOX_CLUSTER_DOMAIN)')
    .option(
      '--mpi-kubectl-delivery-image <image>',
      'the image that brings kubectl to launchers of MPIJob v1 (SIGNALBOX_MPI_KUBECTL_DELIVERY_IMAGE)',
    )
    .option(
      '--pytorch-init-container-image <image>',
      'the image in which workers of a PyTorchJob wait (SIGNALBOX_PYTORCH_INIT_CONTAINER_IMAGE)',
    )
    .option('--etcd-server <addresses>', 'the etcd servers for elastic PaddleJobs (SIGNALBOX_ETCD_SERVER)');

/** Workers and readers must use the same store. */
export const evidenceOptions = (command: Command): Command =>
  command
    .addOption(
      new Option(
        '--evidence-store <kind>',
        'where evidence of failed pods is kept (SIGNALBOX_EVIDENCE_STORE)',
      ).choices(EVIDENCE_STORES),
    )
    .option('--evidence-dir <path>', 'the directory of the store `files` (SIGNALBOX_EVIDENCE_DIR)')
    .option('--evidence-bucket <name>', 'the bucket of the store `s3` (SIGNALBOX_EVIDENCE_BUCKET)')
    .option('--evidence-prefix <prefix>', 'the prefix of the bucket’s keys (SIGNALBOX_EVIDENCE_PREFIX)')
    .option('--evidence-region <region>', 'the region of the bucket (SIGNALBOX_EVIDENCE_REGION)')
    .option(
      '--evidence-endpoint <url>',
      'the URL of an S3 server that is not Amazon’s (SIGNALBOX_EVIDENCE_ENDPOINT)',
    );

/** The other settings of the archive are variables: docs/archive.md. */
export const archiveOptions = (command: Command): Command =>
  command
    .addOption(
      new Option('--archive-store <kind>', 'where jobs are archived (SIGNALBOX_ARCHIVE_STORE)').choices(
        ARCHIVE_STORES,
      ),
    )
    .option('--archive-dir <path>', 'the directory of the archive store `files` (SIGNALBOX_ARCHIVE_DIR)');
