import { keysOf, ownValue } from '../language/fields.ts';

/** Where the cause lies. `cascade`: an end that another one has brought about: look earlier, or at another rank. */
export const SIGNATURE_CLASSES = [
  'code',
  'data',
  'memory',
  'network',
  'GPU',
  'host',
  'storage',
  'unknown',
  'cascade',
] as const;

export interface Signature {
  readonly class: (typeof SIGNATURE_CLASSES)[number];
  /** Of a line that tells of trouble. RE2 takes it, too, and each gap has a limit: no line makes it slow. */
  readonly pattern: RegExp;
  /** A sentence. */
  readonly means: string;
  /** What helps, whatever the node; `filledIn` puts in names. */
  readonly remedy: string;
  /** What to do with the node, if it is known. */
  readonly ofNode?: string;
}

const LOOK_AT_NODE = 'If it ends like this on node NODE alone: `kubectl describe node NODE` shows its state.';
const TAKE_OUT =
  'Keep pods away from node NODE until it is repaired: `kubectl cordon NODE`; `kubectl describe node NODE` shows its state.';
const NEXT_ATTEMPT = 'A restart on another node often succeeds.';

/**
 * What logs say at the end of a program that failed: a row for each signature. The first row that matches a line counts, so
 * what says more stands first. The table of docs/evidence.md is generated from this one.
 */
export const SIGNATURES = {
  SharedMemoryFull: {
    class: 'memory',
    pattern:
      /dataloader worker \(pid.{0,60}\) is killed by signal: bus error|insufficient shared memory|unable to (?:open|allocate|mmap) shared memory|\/dev\/shm\b.{0,80}no space left|no space left.{0,80}\/dev\/shm\b/i,
    means: 'Shared memory is full: /dev/shm has 64Mi unless a volume is mounted there.',
    remedy:
      'Mount an emptyDir with medium Memory at /dev/shm in its template, or load data with fewer workers (num_workers).',
  },
  GpuOutOfMemory: {
    class: 'memory',
    pattern:
      /\b(?:cuda|hip|xpu|gpu) (?:error: )?out of memory|cuda_error_out_of_memory|torch\.(?:cuda\.)?outofmemoryerror|cudamalloc failed: out of memory|resource_?exhausted: (?:out of memory|oom|failed to allocate)|resourceexhaustederror|cublas_status_(?:alloc_failed|not_initialized)|cudnn_status_alloc_failed/i,
    means: 'The GPU has too little memory for what the program asks of it.',
    remedy:
      'Use less of it: a smaller batch for each rank, gradient accumulation, activation checkpointing, shards over more ranks; or request a GPU with more memory.',
    ofNode:
      'If it ends like this on node NODE alone, another process may hold memory there: `kubectl describe node NODE` lists its pods.',
  },
  HostOutOfMemory: {
    class: 'memory',
    pattern:
      /killed process \d+|\boom-?kill|\bmemoryerror\b|cannot allocate memory|std::bad_alloc|defaultcpuallocator: (?:can't allocate|not enough) memory|dataloader worker \(pid.{0,60}\) is killed by signal: killed|out of memory: kill/i,
    means: 'The container, or its node, has too little memory.',
    remedy:
      'Raise requests and limits of memory in its template (LIMIT now), or let it use less, e.g. by smaller batches or fewer workers that load data.',
  },
  DataWorkerEnded: {
    class: 'unknown',
    pattern: /dataloader worker \(pid.{0,60}\) (?:exited unexpectedly|is killed by signal)/i,
    means: 'A process that loads data has ended, and does not say why here.',
    remedy:
      'Run it once with num_workers=0: the error then appears in the program itself. Most often memory or /dev/shm is too small.',
  },
  // Devices
  GpuMemoryFault: {
    class: 'GPU',
    pattern: /uncorrectable (?:ecc|nvlink) error|cuda error.{0,80}\becc\b|double[- ]bit ecc/i,
    means: 'The memory or a link of the GPU is faulty.',
    remedy: NEXT_ATTEMPT,
    ofNode: TAKE_OUT,
  },
  GpuFaultOfProgram: {
    class: 'code',
    pattern: /nvrm: xid \([^)]{0,80}\): (?:13|31|43|45)\b/i,
    means: 'The driver ended work of the program on the GPU, most often because of its own code.',
    remedy: 'Run it once with CUDA_LAUNCH_BLOCKING=1 in env: the traceback then names the operation.',
    ofNode: LOOK_AT_NODE,
  },
  GpuFault: {
    class: 'GPU',
    pattern: /nvrm: xid\b/i,
    means: 'The driver reports a fault of the GPU by its number (Xid).',
    remedy: NEXT_ATTEMPT,
    ofNode: TAKE_OUT,
  },
  GpuLost: {
    class: 'GPU',
    pattern:
      /no cuda-capable device|gpu is lost|fallen off the bus|unable to determine the device handle|cuda error: (?:all cuda-capable devices are busy|unknown error)/i,
    means: 'The node no longer gives the program a GPU that works.',
    remedy: `${NEXT_ATTEMPT} Check that its template requests GPUs.`,
    ofNode: TAKE_OUT,
  },
  FabricNotReady: {
    class: 'host',
    pattern: /system not yet initialized|cuda_error_system_not_ready/i,
    means: 'The switches between the GPUs of the node are not set up: its fabric manager does not run.',
    remedy: NEXT_ATTEMPT,
    ofNode: TAKE_OUT,
  },
  DriverChanged: {
    class: 'host',
    pattern: /driver\/library version mismatch/i,
    means: 'The driver of the node was replaced while it ran.',
    remedy: NEXT_ATTEMPT,
    ofNode: 'Restart node NODE, or reload its driver; until then keep pods away: `kubectl cordon NODE`.',
  },
  DriverTooOld: {
    class: 'host',
    pattern: /cuda driver version is insufficient|nvidia driver on your system is too old/i,
    means: 'The image needs a newer driver than the node has.',
    remedy:
      'Use an image with an older CUDA, or choose nodes with a newer driver by a nodeSelector in its template.',
    ofNode: 'It ran on node NODE.',
  },
  GpuMissing: {
    class: 'code',
    pattern:
      /found no nvidia driver|torch not compiled with cuda|no cuda gpus are available|invalid device ordinal|no gpu\/tpu found/i,
    means: 'The program looks for a GPU that its container does not have.',
    remedy:
      'Request as many GPUs in resources.limits of its template as the program uses, and use an image that is built for them.',
  },
  GpuTooNew: {
    class: 'code',
    pattern: /no kernel image is available for execution/i,
    means: 'The program is not built for this kind of GPU.',
    remedy: 'Use an image that is built for it, or choose other GPUs by a nodeSelector in its template.',
    ofNode: 'It ran on node NODE.',
  },
  IllegalAccess: {
    class: 'code',
    pattern:
      /illegal memory access|device-side assert|misaligned address|unspecified launch failure|illegal instruction was encountered|cublas_status_execution_failed/i,
    means: 'Code on the GPU used memory that it may not, or failed a check, e.g. of an index out of range.',
    remedy: 'Run it once with CUDA_LAUNCH_BLOCKING=1 in env: the traceback then names the operation.',
    ofNode: LOOK_AT_NODE,
  },
  // Between ranks
  InfinibandError: {
    class: 'network',
    pattern:
      /net\/ib\b.{0,160}(?:completion|async fatal|vendor err|local qp)|\bibv_\w{1,40} failed|net\/ofi\b.{0,160}(?:error|failed)/i,
    means: 'An adapter, cable or switch between nodes lost data.',
    remedy: NEXT_ATTEMPT,
    ofNode: LOOK_AT_NODE,
  },
  CollectiveTimeout: {
    class: 'unknown',
    pattern:
      /collective operation timeout|watchdog caught collective|monitored ?barrier.{0,120}time(?:d )?-?out|\ball_?reduce\b.{0,40}timed out/i,
    means: 'A rank waited for others that did not come: one of them stands elsewhere, or has ended.',
    remedy: 'Find the rank that differs: `signalbox evidence NAME` has the last lines of each.',
  },
  WatchdogStuck: {
    class: 'unknown',
    pattern: /watchdog.{0,80}(?:got stuck|hang|hung)|heartbeat monitor timed out/i,
    means: 'The process stood still in the driver, or held the lock of Python.',
    remedy: 'Find the rank that differs: `signalbox evidence NAME` has the last lines of each.',
    ofNode: LOOK_AT_NODE,
  },
  PeerNotReached: {
    class: 'network',
    pattern:
      /rendezvous(?:timeout|connection|closed)error|client socket has timed out|failed to connect to.{0,40}tcpstore|timed out.{0,40}waiting for clients|diststoreerror|name or service not known|temporary failure in name resolution|no route to host/i,
    means: 'A rank did not find another one in time.',
    remedy:
      'See whether all pods ran then, and which ended first: `signalbox history NAME`. If they did, a network policy or DNS keeps them apart.',
  },
  AddressInUse: {
    class: 'network',
    pattern: /address already in use|eaddrinuse/i,
    means: 'Another process has the port that the program wants.',
    remedy:
      'Let the program take MASTER_PORT from its environment, once for each pod; with hostNetwork other jobs of the node share its ports.',
  },
  NcclSystemError: {
    class: 'network',
    pattern: /unhandled system error|ncclsystemerror/i,
    means: 'A call of NCCL to the operating system failed: the line before says which.',
    remedy: 'NCCL_DEBUG=WARN in env makes it print the reason.',
    ofNode: LOOK_AT_NODE,
  },
  // Storage
  DiskFull: {
    class: 'storage',
    pattern: /no space left on device|disk quota exceeded|\benospc\b/i,
    means: 'The volume that the program writes to is full.',
    remedy:
      'Enlarge the volume that the line names, or keep fewer checkpoints; what belongs to no volume fills the disk of the node (ephemeral-storage).',
  },
  StorageFault: {
    class: 'storage',
    pattern:
      /stale file handle|\binput\/output error|transport endpoint is not connected|remote i\/o error|read-only file system/i,
    means: 'A file system does not answer, or only lets read.',
    remedy: NEXT_ATTEMPT,
    ofNode: LOOK_AT_NODE,
  },
  BrokenCheckpoint: {
    class: 'storage',
    pattern:
      /pytorchstreamreader|invalid magic number|unpicklingerror|pickle data was truncated|safetensorerror|unexpected eof.{0,80}checkpoint|checkpoint.{0,80}(?:unexpected eof|is corrupt|truncated)/i,
    means: 'A checkpoint or a file of data is damaged, or was not written to its end.',
    remedy:
      'Go on from an earlier checkpoint. Write each under another name, and rename it when it is complete.',
  },
  TooManyRequests: {
    class: 'network',
    pattern: /\b429\b.{0,40}(?:too many|client error)|too ?many ?requests|rate limit exceeded/i,
    means: 'A server refuses requests because there are too many.',
    remedy: 'Download once, into a volume that all ranks read, or begin the ranks at different times.',
  },
  // Programs
  StateMismatch: {
    class: 'code',
    pattern:
      /error\(s\) in loading state_dict|size mismatch for \S|(?:missing|unexpected) key\(s\) in state_dict/i,
    means: 'The checkpoint is of another model than the program builds.',
    remedy: 'Load a checkpoint of the same model, or build the model as it was when that was written.',
  },
  ModuleMissing: {
    class: 'code',
    pattern: /\b(?:modulenotfounderror|importerror)\b|cannot open shared object file|cannot find module/i,
    means: 'The image does not have what the program imports, or has another version.',
    remedy: 'Add it to the image, or correct its name in the program.',
  },
  WrongArguments: {
    class: 'code',
    pattern:
      /unrecognized arguments|following arguments are required|invalid choice: |no such option|unknown (?:option|flag|argument)\b|configattributeerror|missingmandatoryvalue/i,
    means: 'The program does not take these arguments.',
    remedy: 'Correct command and args of CONTAINER in its template.',
  },
  AccessDenied: {
    class: 'code',
    pattern:
      /\bpermissionerror\b|permission denied|\b40[13]\b.{0,40}(?:forbidden|unauthorized|client error)|accessdenied|gatedrepoerror|invalidaccesskeyid/i,
    means: 'The program may not read or write what it needs.',
    remedy:
      'Give its account the right, or its pod the credentials, e.g. by a Secret; for files see runAsUser and fsGroup of its template.',
  },
  FileMissing: {
    class: 'code',
    pattern: /\bfilenotfounderror\b|no such file or directory|nosuchkey|nosuchbucket|can't open file/i,
    means: 'A file that the program reads is not there.',
    remedy: 'Correct its path, or mount the volume that has it in the template of each role.',
  },
  NotANumber: {
    class: 'data',
    pattern:
      /\b(?:loss|grad\w{0,20})\W{1,5}(?:is )?(?:nan|inf)\b|\bnon-?finite\b|contains? (?:nan|inf)\b|floatingpointerror/i,
    means: 'The numbers of the training are no numbers any more.',
    remedy:
      'Go on from an earlier checkpoint with a lower learning rate or clipped gradients; look at the data of that step.',
    ofNode: LOOK_AT_NODE,
  },
  CodeError: {
    class: 'code',
    pattern:
      /\b(?:syntaxerror|indentationerror|nameerror|unboundlocalerror|attributeerror|typeerror|notimplementederror|recursionerror)\b|shapes cannot be multiplied|expected all tensors to be on the same device/i,
    means: 'The code of the program is wrong at this place.',
    remedy: 'Correct it: the traceback names file and line.',
  },
  // What follows from another end
  PeerEnded: {
    class: 'cascade',
    pattern:
      /remote process exited|connection (?:was )?(?:closed|reset|aborted) by|connection (?:refused|reset)|\bncclremoteerror\b|connectionreset|connectionrefused|broken ?pipe|\beoferror\b|nccl communicator was aborted|some nccl operations have failed|distbackenderror/i,
    means: 'Another rank ended first, and this one lost its connection.',
    remedy: 'Look at the pods that failed earlier: `signalbox history NAME`, `signalbox evidence NAME`.',
  },
  LauncherReport: {
    class: 'cascade',
    pattern:
      /\bchildfailederror\b|\bcalledprocesserror\b|processexitedexception|mpirun noticed|mpi_abort was invoked|has lost communication with a remote daemon|primary job\s+terminated/i,
    means: 'A launcher reports that a process which it started has failed.',
    remedy: 'What that process wrote stands above: `signalbox evidence NAME --pod POD`.',
  },
  ToldToStop: {
    class: 'cascade',
    pattern: /\bkeyboardinterrupt\b|\bsystemexit\b|\bsignalexception\b|received sig(?:term|int)\b/i,
    means: 'The process was told to stop.',
    remedy: 'See what came before: `signalbox history NAME`.',
  },
} as const satisfies Readonly<Record<string, Signature>>;

export type SignatureCode = keyof typeof SIGNATURES;

/** Returns the row of a code; undefined without one, or for one of another version. */
export const signatureOf = (code: string | undefined): Signature | undefined =>
  code === undefined ? undefined : ownValue<Signature>(SIGNATURES, code);

/** Returns the first row that matches a text. */
export const findSignature = (text: string): SignatureCode | undefined =>
  CODES.find((code) => SIGNATURES[code].pattern.test(text));

const CODES = keysOf(SIGNATURES);
