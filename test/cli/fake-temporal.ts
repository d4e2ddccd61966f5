import {
  type handleUnaryCall,
  Server,
  ServerCredentials,
  type ServiceDefinition,
  status,
} from '@grpc/grpc-js';
import proto from '@temporalio/proto';
import { ATTRIBUTE_NAMES } from '../../contracts/search-attribute-names.ts';
import type { JobStatus, LedgerEntry } from '../../contracts/types.ts';

const { enums, workflowservice } = proto.temporal.api;

/** The job that runs. */
const NAME = 'live';
/** A job whose status is in an external storage. */
const STORED = 'stored';
const idOf = (name: string) => `job/default/${name}`;
const startTime = { seconds: 1_700_000_000 };

const JOB: JobStatus = {
  kind: 'PyTorchJob',
  name: NAME,
  namespace: 'default',
  phase: 'Running',
  state: 'Running',
  attempt: 1,
  restarts: 0,
  conditions: [],
  replicaStatuses: { Worker: { active: 2 } },
  startTime: new Date(startTime.seconds * 1000).toISOString(),
  warnings: [],
  timeline: [],
};

const ENTRY: LedgerEntry = {
  ...{ seq: 1, at: JOB.startTime!, attempt: 1, revision: 1 },
  ...{ to: 'Running', phase: 'Running', cause: { type: 'digest' }, message: 'All pods run.' },
};

const payloadOf = (value: unknown, metadata: Readonly<Record<string, string>> = {}) => ({
  metadata: bytesOf({ encoding: 'json/plain', ...metadata }),
  data: Buffer.from(JSON.stringify(value)),
});

const bytesOf = (texts: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, Buffer.from(text)]));

const WORKFLOW = {
  execution: { workflowId: idOf(NAME), runId: '0193b000-0000-7000-8000-000000000002' },
  type: { name: 'trainingJob' },
  status: enums.v1.WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_RUNNING,
  startTime,
  searchAttributes: { indexedFields: { [ATTRIBUTE_NAMES.phase]: payloadOf('Running', { type: 'Keyword' }) } },
};

/** The job before it of the name. */
const EARLIER = {
  ...{
    ...WORKFLOW,
    execution: { workflowId: idOf(NAME), runId: '0193a1b2-c3d4-7000-8000-000000000001' },
  },
  ...{
    startTime: { seconds: 1_600_000_000 },
    status: enums.v1.WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_COMPLETED,
  },
};

const IN_STORAGE = { ...WORKFLOW, execution: { workflowId: idOf(STORED), runId: 'run of stored' } };

/** Of its status, as the SDK writes it. */
const REFERENCE = payloadOf(
  { driverName: 'shelf', claimData: { shelf: '7' } },
  { encoding: 'json/protobuf', messageType: 'temporal.api.sdk.v1.ExternalStorageReference' },
);

/** To each query. */
const ANSWER = payloadOf({ ...JOB, entries: [ENTRY] });

/** A sweep of another name. */
const SWEEP = {
  ...{ ...WORKFLOW, execution: { workflowId: 'parameter-sweep/default/tune', runId: 'run of tune' } },
  type: { name: 'parameterSweep' },
};

/** What each request is answered with; undefined: there is no such workflow. */
const ANSWERS = {
  GetSystemInfo: () => ({}),
  DescribeWorkflowExecution: ({ execution }: Asked) => {
    const known = [WORKFLOW, IN_STORAGE].find((each) => each.execution.workflowId === execution?.workflowId);
    return known && { workflowExecutionInfo: known };
  },
  ListWorkflowExecutions: ({ query }: Asked) => ({
    executions: executionsFor(query),
  }),
  QueryWorkflow: ({ execution }: Asked) => ({
    queryResult: { payloads: [execution?.workflowId === idOf(STORED) ? REFERENCE : ANSWER] },
  }),
  StartWorkflowExecution: () => ({ runId: WORKFLOW.execution.runId, started: true }),
};

function executionsFor(query = '') {
  if (query.includes("'parameterSweep'")) return [SWEEP];
  // Only who asks for a name wants to know of earlier jobs.
  return query.includes(`'${idOf(NAME)}'`) ? [WORKFLOW, EARLIER] : [WORKFLOW];
}

type Method = keyof typeof ANSWERS;

/** Starts a Temporal server with one job, for tests of what the command line does around its requests. */
export async function startFakeTemporal(): Promise<{ readonly address: string; stop(): void }> {
  const server = new Server();
  const methods = Object.keys(ANSWERS) as Method[];
  server.addService(
    Object.fromEntries(methods.map((method) => [method, definitionOf(method)])) as ServiceDefinition,
    Object.fromEntries(methods.map((method) => [method, handlerOf(method)])),
  );
  const port = await new Promise<number>((resolve, reject) =>
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    ),
  );
  return { address: `127.0.0.1:${port}`, stop: () => server.forceShutdown() };
}

function definitionOf(method: Method) {
  const [request, response] = [
    workflowservice.v1[`${method}Request`],
    workflowservice.v1[`${method}Response`],
  ];
  return {
    path: `/temporal.api.workflowservice.v1.WorkflowService/${method}`,
    requestStream: false,
    responseStream: false,
    requestSerialize: (value: object) => Buffer.from(request.encode(value).finish()),
    requestDeserialize: (bytes: Buffer) => request.decode(bytes),
    responseSerialize: (value: object) => Buffer.from(response.encode(value).finish()),
    responseDeserialize: (bytes: Buffer) => response.decode(bytes),
  };
}

interface Asked {
  readonly execution?: { readonly workflowId?: string };
  readonly query?: string;
}

function handlerOf(method: Method): handleUnaryCall<Asked, object> {
  return ({ request }, callback) => {
    const answer = ANSWERS[method](request);
    callback(answer ? null : { code: status.NOT_FOUND, details: 'no such workflow' }, answer);
  };
}
