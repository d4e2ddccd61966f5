/** What Prometheus reads, as promtool writes it: a series, and its values minute by minute. */
type Series = Readonly<Record<string, string>>;

interface AlertCase {
  /** The alert fires after so many minutes. */
  readonly afterMinutes: number;
  readonly fires: Series;
  /** Beside `ALL_WELL`, where the alert stays silent. */
  readonly silent?: Series;
}

const WORKER = 'signalbox_build_info{part="worker",job="worker"}';
const LEADER = 'signalbox_watcher_is_leader{job="watcher",instance="a"}';
const SECOND = 'signalbox_watcher_is_leader{job="watcher",instance="b"}';
const CENSUS = 'signalbox_census_timestamp_seconds{job="watcher"}';

/** An installation that works. */
export const ALL_WELL: Series = {
  [WORKER]: '1x300',
  [LEADER]: '1x300',
  [SECOND]: '0x300',
  [CENSUS]: '0+60x300',
};

const watcher = (metric: string, labels = '') =>
  `signalbox_watcher_${metric}{job="watcher"${labels && `,${labels}`}}`;
const archive = (metric: string) => `signalbox_archive_${metric}{job="worker"}`;
const latency = (le: string) =>
  `temporal_workflow_task_schedule_to_start_latency_bucket{job="worker",le="${le}"}`;
const notifier = (metric: string, labels = '') =>
  `signalbox_notifier_${metric}{job="notifier"${labels && `,${labels}`}}`;
const delay = (le: string) => watcher('signal_delay_seconds_bucket', `le="${le}"`);

export const ALERT_CASES: Readonly<Record<string, AlertCase>> = {
  SignalboxNoWorker: { afterMinutes: 10, fires: { [WORKER]: '1x3 stale' } },
  SignalboxNoLeader: { afterMinutes: 10, fires: { [LEADER]: '1x3 0x300' } },
  SignalboxSeveralLeaders: { afterMinutes: 10, fires: { [SECOND]: '1x300' } },
  SignalboxWorkersBehind: {
    afterMinutes: 30,
    fires: { [latency('1000')]: '0+1x300', [latency('5000')]: '0+60x300', [latency('+Inf')]: '0+60x300' },
    silent: { [latency('1000')]: '0+60x300', [latency('5000')]: '0+60x300', [latency('+Inf')]: '0+60x300' },
  },
  SignalboxWorkflowTasksFail: {
    afterMinutes: 30,
    fires: {
      'temporal_workflow_task_execution_failed{job="worker",failure_reason="NonDeterminismError"}': '0+1x300',
    },
    silent: {
      'temporal_workflow_task_execution_failed{job="worker",failure_reason="NonDeterminismError"}': '1x300',
    },
  },
  SignalboxSignalsFail: {
    afterMinutes: 15,
    fires: { [watcher('signals_total', 'result="failed"')]: '0+9x300' },
    silent: {
      [watcher('signals_total', 'result="failed"')]: '0+1x300',
      [watcher('signals_total', 'result="delivered"')]: '0+9x300',
    },
  },
  SignalboxJobsUnreachable: {
    afterMinutes: 15,
    fires: { [watcher('failing_jobs')]: '2x300' },
    silent: { [watcher('failing_jobs')]: '2x5 0x300', [watcher('scan_left', 'search="orphans"')]: '0x300' },
  },
  SignalboxSignalsSlow: {
    afterMinutes: 40,
    fires: { [delay('5')]: '0+1x300', [delay('10')]: '0+60x300', [delay('+Inf')]: '0+60x300' },
    silent: { [delay('5')]: '0+60x300', [delay('10')]: '0+60x300', [delay('+Inf')]: '0+60x300' },
  },
  SignalboxStreamInterrupted: {
    afterMinutes: 5,
    fires: { [watcher('stream_interrupted_seconds', 'stream="pods"')]: '0+60x300' },
    silent: { [watcher('stream_interrupted_seconds', 'stream="pods"')]: '30x300' },
  },
  SignalboxUnusableAnchors: {
    afterMinutes: 10,
    fires: { [watcher('unusable_anchors')]: '1x300' },
    silent: { [watcher('unusable_anchors')]: '0x300' },
  },
  SignalboxWorkflowsTerminated: {
    afterMinutes: 30,
    fires: { [watcher('orphan_cleanups_total')]: '0x5 1x300' },
    silent: { [watcher('orphan_cleanups_total')]: '7x300' },
  },
  SignalboxLogsWait: {
    afterMinutes: 40,
    fires: { [watcher('logs', 'state="waiting"')]: '3x300' },
    silent: {
      [watcher('logs', 'state="waiting"')]: '3x10 0x300',
      [watcher('logs', 'state="followed"')]: '9x300',
    },
  },
  SignalboxCensusStale: { afterMinutes: 30, fires: { [CENSUS]: '60x300' } },
  SignalboxNothingArchives: {
    afterMinutes: 15,
    fires: { [archive('look_age_seconds')]: '0+60x300' },
    silent: { [archive('look_age_seconds')]: '10x300' },
  },
  SignalboxRecordsEndangered: {
    afterMinutes: 10,
    fires: { [archive('endangered_jobs')]: '1x300' },
    silent: { [archive('endangered_jobs')]: '0x300' },
  },
  SignalboxArchiveStoreFails: {
    afterMinutes: 20,
    fires: { [archive('failing')]: '1x300', [archive('failed_jobs')]: '2x300' },
    silent: { [archive('failing')]: '0x300', [archive('failed_jobs')]: '2x300' },
  },
  SignalboxJobsNotArchived: {
    afterMinutes: 90,
    fires: { [archive('failed_jobs')]: '2x300' },
    silent: { [archive('failed_jobs')]: '2x30 0x300' },
  },
  SignalboxEvidenceFails: {
    afterMinutes: 30,
    fires: { 'signalbox_evidence_total{job="worker",result="failed"}': '_x9 1x300' },
    silent: { 'signalbox_evidence_total{job="worker",result="saved"}': '0+9x300' },
  },
  SignalboxNotifierSilent: {
    afterMinutes: 20,
    fires: { [notifier('looked_timestamp_seconds')]: '60x300' },
    silent: {
      [notifier('looked_timestamp_seconds')]: '0+60x300',
      [notifier('looked_timestamp_seconds', 'instance="b"')]: '0x300',
    },
  },
  SignalboxRoutesFaulty: {
    afterMinutes: 20,
    fires: { [notifier('routes_faulty')]: '1x300' },
    silent: { [notifier('routes_faulty')]: '0x300' },
  },
  SignalboxReceiverFails: {
    afterMinutes: 90,
    fires: { [notifier('deliveries_total', 'receiver="ops",result="failed"')]: '0+1x300' },
    silent: {
      [notifier('deliveries_total', 'receiver="ops",result="failed"')]: '0+1x300',
      [notifier('deliveries_total', 'receiver="ops",result="delivered"')]: '0+1x300',
    },
  },
  SignalboxJobsStuckPending: {
    afterMinutes: 270,
    fires: { 'signalbox_oldest_pending_job_timestamp_seconds{job_namespace="ml"}': '60x300' },
    silent: { 'signalbox_oldest_pending_job_timestamp_seconds{job_namespace="ml"}': '0+60x300' },
  },
  SignalboxJobsRefused: {
    afterMinutes: 30,
    fires: {
      'signalbox_jobs{job_namespace="ml",kind="PyTorchJob",phase="Pending",reason="Forbidden"}': '1x300',
    },
    silent: {
      'signalbox_jobs{job_namespace="ml",kind="PyTorchJob",phase="Pending",reason="Unschedulable"}': '9x300',
    },
  },
  SignalboxJobStalled: {
    afterMinutes: 90,
    fires: { 'signalbox_job_progress_timestamp_seconds{job_namespace="ml",job_name="resnet"}': '60x300' },
    silent: { 'signalbox_job_progress_timestamp_seconds{job_namespace="ml",job_name="resnet"}': '0+60x300' },
  },
  SignalboxJobsWithoutSteps: {
    afterMinutes: 30,
    fires: { 'signalbox_jobs_without_steps{job_namespace="ml"}': '2x300' },
    silent: { 'signalbox_jobs_without_steps{job_namespace="ml"}': '1x5 0x5 1x5 0x300' },
  },
  SignalboxRestartStorm: {
    afterMinutes: 60,
    fires: { 'signalbox_job_restarts_total{job_namespace="ml",scope="pod",class="userCode"}': '0+3x300' },
    silent: { 'signalbox_job_restarts_total{job_namespace="ml",scope="pod",class="userCode"}': '0+1x300' },
  },
  SignalboxGpusIdle: {
    afterMinutes: 90,
    fires: {
      'signalbox_gpus{job_namespace="ml",phase="Starting"}': '8x300',
      'signalbox_gpus{job_namespace="ml",phase="Running"}': '8x300',
    },
    silent: {
      'signalbox_gpus{job_namespace="ml",phase="Starting"}': '8x300',
      'signalbox_gpus{job_namespace="ml",phase="Running"}': '80x300',
    },
  },
  SignalboxEngineFaults: {
    afterMinutes: 30,
    fires: {
      'signalbox_jobs_ended_total{job_namespace="ml",phase="Failed",reason="EngineFault"}': '_x9 1x300',
    },
    silent: { 'signalbox_jobs_ended_total{job_namespace="ml",phase="Failed",reason="PodFailed"}': '0+9x300' },
  },
};
