import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { SIGNATURES, type SignatureCode } from '../../contracts/signatures.ts';
import { errorIn } from '../../evidence/error-line.ts';
import { keysOf } from '../../language/fields.ts';
import { compilePattern } from '../../language/pattern.ts';
import { TIMES } from '../times.ts';

const PYTHON = [
  'step=3',
  'Traceback (most recent call last):',
  '  File "/app/train.py", line 3, in <module>',
  '    import torhc',
];

const TORCHRUN = [
  '[rank1]: Traceback (most recent call last):',
  '[rank1]: RuntimeError: CUDA error: an illegal memory access was encountered',
  '[rank1]: CUDA kernel errors might be asynchronously reported at some other API call, so the stacktrace below might be incorrect.',
  '[rank1]: For debugging consider passing CUDA_LAUNCH_BLOCKING=1',
  '[rank0]: torch.distributed.DistBackendError: NCCL error in: ProcessGroupNCCL.cpp:3690, remote process exited or there was a network error, NCCL version 2.26.2',
  'E1130 08:15:02 torch/distributed/elastic/multiprocessing/api.py:869] failed (exitcode: 1) local_rank: 0',
  'torch.distributed.elastic.multiprocessing.errors.ChildFailedError: ',
  'error_file: <N/A>',
  'traceback : To enable traceback see: https://pytorch.org/docs/stable/elastic/errors.html',
];

const DIRECT_CAUSE = 'The above exception was the direct cause of the following exception:';
const MEANWHILE = 'During handling of the above exception, another exception occurred:';

describe('the line of a log that says best what went wrong is', () => {
  it.each<[what: string, lines: readonly string[], found: string]>([
    [
      'the exception below a traceback',
      [...PYTHON, "ModuleNotFoundError: No module named 'torhc'", 'wandb: run finished'],
      "ModuleNotFoundError: No module named 'torhc'",
    ],
    ['the last one of several', ['KeyError: 1', MEANWHILE, 'ValueError: 2'], 'ValueError: 2'],
    [
      'the one behind it that is understood',
      ['FileNotFoundError: /data/train.bin', DIRECT_CAUSE, 'RuntimeError: no data'],
      'FileNotFoundError: /data/train.bin',
    ],
    [
      'not one that the program has survived',
      ['torch.OutOfMemoryError: CUDA out of memory.', 'smaller batch', 'ValueError: 2'],
      'ValueError: 2',
    ],
    ['one without words', ['loss=nan', 'AssertionError'], 'AssertionError'],
    [
      'one of a module',
      ['torch.cuda.OutOfMemoryError: CUDA out of memory.'],
      'torch.cuda.OutOfMemoryError: CUDA out of memory.',
    ],
    [
      'that of the rank that failed first, not what others and the launcher say of it',
      TORCHRUN,
      '[rank1]: RuntimeError: CUDA error: an illegal memory access was encountered',
    ],
    [
      'what only follows, if nothing else is there',
      ['step=3', 'ConnectionResetError: [Errno 104] Connection reset by peer'],
      'ConnectionResetError: [Errno 104] Connection reset by peer',
    ],
    [
      'that of another language',
      ['throw new Error(1)', "Error: Cannot find module '/app/x.js'", 'Node.js v24'],
      "Error: Cannot find module '/app/x.js'",
    ],
    ['with its code', ['TypeError [ERR_X]: no'], 'TypeError [ERR_X]: no'],
    ['an error that is no exception', ['a', 'CUDA error: out of memory', 'bye'], 'CUDA error: out of memory'],
    ['that of a shell', ['bash: line 1: trian: command not found'], 'bash: line 1: trian: command not found'],
    ['without colours', ['\u001b[31mValueError: x\u001b[0m'], 'ValueError: x'],
    ['without secrets', ['ValueError: token=abcdefgh12345'], 'ValueError: token=(hidden)'],
    [
      'around what is understood, in a long one',
      [`{"ts": "${'0'.repeat(400)}", "msg": "fatal: no space left on device"}`],
      '…00", "msg": "fatal: no space left on device"}',
    ],
  ])('%s', (_what, lines, found) => {
    expect(errorIn(lines)?.line).toBe(found);
  });

  it.each([[[]], [['step=1', 'step=2']], [['terror: none', 'MyErrors: 3 of them']]])(
    'none of %j',
    (lines) => {
      expect(errorIn(lines)).toBeUndefined();
    },
  );

  it('short', () => {
    expect(errorIn([`ValueError: ${'x '.repeat(500)}`])?.line).toHaveLength(160);
  });
});

/** Lines as programs, drivers and kernels print them. */
const LINES: Readonly<Record<SignatureCode, readonly string[]>> = {
  SharedMemoryFull: [
    'RuntimeError: DataLoader worker (pid 4172) is killed by signal: Bus error. It is possible that dataloader’s workers are out of shared memory.',
    "OSError: [Errno 28] No space left on device: '/dev/shm/nccl-Xq2'",
  ],
  GpuOutOfMemory: [
    'torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 79.15 GiB of which 1.02 GiB is free. If reserved but unallocated memory is large try setting PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True to avoid fragmentation.',
    'RuntimeError: CUDA error: out of memory',
    'jaxlib.xla_extension.XlaRuntimeError: RESOURCE_EXHAUSTED: Out of memory while trying to allocate 3221225472 bytes.',
    'RuntimeError: CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling `cublasCreate(handle)`',
  ],
  HostOutOfMemory: [
    'RuntimeError: DataLoader worker (pid 812) is killed by signal: Killed.',
    "RuntimeError: [enforce fail at alloc_cpu.cpp:118] err == 0. DefaultCPUAllocator: can't allocate memory: you tried to allocate 68719476736 bytes.",
    'MemoryError',
    "terminate called after throwing an instance of 'std::bad_alloc'",
    'OSError: [Errno 12] Cannot allocate memory',
  ],
  DataWorkerEnded: ['RuntimeError: DataLoader worker (pid(s) 4172, 4173) exited unexpectedly'],
  GpuMemoryFault: ['RuntimeError: CUDA error: uncorrectable ECC error encountered'],
  GpuFaultOfProgram: [
    'NVRM: Xid (PCI:0000:3b:00): 31, pid=8123, name=python, Ch 00000008, intr 00000000. MMU Fault',
  ],
  GpuFault: ['[ 812.1] NVRM: Xid (PCI:0000:3b:00): 79, pid=0, GPU has fallen off the bus.'],
  GpuLost: [
    'RuntimeError: CUDA error: no CUDA-capable device is detected',
    'Unable to determine the device handle for GPU0000:3B:00.0: Unknown Error',
  ],
  FabricNotReady: [
    'RuntimeError: Unexpected error from cudaGetDeviceCount(). Error 802: system not yet initialized',
  ],
  DriverChanged: ['Failed to initialize NVML: Driver/library version mismatch'],
  DriverTooOld: [
    'RuntimeError: The NVIDIA driver on your system is too old (found version 11040).',
    'CUDA error: CUDA driver version is insufficient for CUDA runtime version',
  ],
  GpuMissing: [
    'AssertionError: Torch not compiled with CUDA enabled',
    'RuntimeError: Found no NVIDIA driver on your system. Please check that you have an NVIDIA GPU',
    'RuntimeError: No CUDA GPUs are available',
  ],
  GpuTooNew: ['RuntimeError: CUDA error: no kernel image is available for execution on the device'],
  IllegalAccess: [
    'RuntimeError: CUDA error: device-side assert triggered',
    'RuntimeError: CUDA error: an illegal memory access was encountered',
  ],
  InfinibandError: [
    'gpu-3:812:1043 [2] transport/net_ib.cc:2099 NCCL WARN NET/IB : Got completion from peer 10.1.2.3<51234> with status=12 opcode=0 len=0 vendor err 129',
  ],
  CollectiveTimeout: [
    '[rank3]:[E1130 08:15:02 ProcessGroupNCCL.cpp:632] [Rank 3] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=812, OpType=ALLREDUCE, NumelIn=4096, Timeout(ms)=600000) ran for 600021 milliseconds before timing out.',
  ],
  WatchdogStuck: [
    "[rank2]:[F1130 ProcessGroupNCCL.cpp:1557] [PG 0] ProcessGroupNCCL's watchdog got stuck for 480 seconds without making progress, terminating the process",
  ],
  PeerNotReached: [
    'torch.distributed.elastic.rendezvous.api.RendezvousTimeoutError',
    'torch.distributed.DistNetworkError: The client socket has timed out after 60000ms while trying to connect to (fit-master-0, 29500).',
    'socket.gaierror: error: [Errno -2] Name or service not known',
  ],
  AddressInUse: [
    'RuntimeError: The server socket has failed to listen on any local network address. port: 29500, EADDRINUSE, message: address already in use',
  ],
  NcclSystemError: [
    'RuntimeError: NCCL error in: NCCLUtils.hpp:275, unhandled system error (run with NCCL_DEBUG=INFO for details), NCCL version 2.21.5',
  ],
  DiskFull: ["OSError: [Errno 28] No space left on device: '/checkpoints/step-5000.pt'"],
  StorageFault: [
    "OSError: [Errno 116] Stale file handle: '/data/shard-7'",
    'OSError: [Errno 5] Input/output error',
  ],
  BrokenCheckpoint: [
    'RuntimeError: PytorchStreamReader failed reading zip archive: failed finding central directory',
    '_pickle.UnpicklingError: pickle data was truncated',
  ],
  TooManyRequests: [
    'requests.exceptions.HTTPError: 429 Client Error: Too Many Requests for url: https://example.com/x',
  ],
  StateMismatch: ['RuntimeError: Error(s) in loading state_dict for ResNet:'],
  ModuleMissing: [
    "ModuleNotFoundError: No module named 'flash_attn'",
    'ImportError: libcudart.so.12: cannot open shared object file: No such file or directory',
  ],
  WrongArguments: ['train.py: error: unrecognized arguments: --lr-decay 0.1'],
  AccessDenied: [
    "PermissionError: [Errno 13] Permission denied: '/checkpoints'",
    'huggingface_hub.errors.GatedRepoError: 403 Client Error.',
  ],
  FileMissing: ["FileNotFoundError: [Errno 2] No such file or directory: '/data/train.bin'"],
  NotANumber: [
    'Error: Loss is nan, stopping training',
    'FloatingPointError: gradients are non-finite at step 812',
  ],
  CodeError: [
    "TypeError: forward() got an unexpected keyword argument 'mask'",
    "NameError: name 'modle' is not defined. Did you mean: 'model'?",
    'RuntimeError: mat1 and mat2 shapes cannot be multiplied (32x512 and 256x10)',
  ],
  PeerEnded: [
    'torch.distributed.DistBackendError: NCCL error in: ProcessGroupNCCL.cpp:3690, remote process exited or there was a network error',
    'RuntimeError: [gloo/transport/tcp/pair.cc:534] Connection closed by peer [10.1.2.3]:4711',
    'BrokenPipeError: [Errno 32] Broken pipe',
  ],
  LauncherReport: [
    'torch.distributed.elastic.multiprocessing.errors.ChildFailedError:',
    'mpirun noticed that process rank 1 with PID 0 on node fit-worker-0 exited on signal 9 (Killed).',
  ],
  ToldToStop: [
    'KeyboardInterrupt',
    'torch.distributed.elastic.multiprocessing.api.SignalException: Process 31 got signal: 15',
  ],
};

/** What reads alike and is none. */
const NEAR_MISSES = [
  'PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True',
  'step=812 loss=nan grad_norm=inf',
  'INFO heartbeat timeout set to 600 s',
  'HINT: CUDA out of memory? Try setting a smaller batch',
  'CUDA kernel errors might be asynchronously reported at some other API call',
  'This error may be caused by insufficient shared memory (shm).',
  'ncclRemoteError: A call failed possibly due to a network error or a remote process exiting prematurely.',
  'loaded 429 shards of 1024',
  'reading /data/403/forbidden/list.txt',
  'using watchdog with 600 s',
  'gradient checkpointing is on',
  'no_space_left_behind: true',
];

describe('signatures', () => {
  const rows = keysOf(SIGNATURES).flatMap((code) => LINES[code].map((line) => [code, line] as const));

  it.each(rows)('%s: %s', (code, line) => {
    expect(errorIn(['step=1', line])?.signature).toBe(code);
  });

  it.each(NEAR_MISSES)('none: %s', (line) => {
    expect(errorIn([line])?.signature).toBeUndefined();
  });

  it.each(keysOf(SIGNATURES))('%s is of the language of RE2, and so linear', (code) => {
    expect(() => compilePattern(`(?i)${SIGNATURES[code].pattern.source}`)).not.toThrow();
    expect(SIGNATURES[code].pattern.source).not.toMatch(/[*+]\)?[*+{]|\.[*+]/);
    expect(SIGNATURES[code].pattern.flags).toBe('i');
  });

  it('neither fail at any line nor show what a terminal would obey', () => {
    const part = fc.constantFrom(
      ...['\u001b[2J', '\u0007', '\u0000', '\r', '\ud800', 'Error: ', 'dataloader worker (pid', 'watchdog '],
      ...['nvrm: xid (', '[', ']', '(', ' ', 'a.', 'A', 'token=abcdefgh12345 ', 'no space left '],
    );
    const line = fc.array(part, { maxLength: 40 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(fc.array(line, { maxLength: 20 }), (lines) => {
        const found = errorIn(lines)?.line ?? '';
        expect(found.length).toBeLessThanOrEqual(160);
        // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what it looks for
        expect(found).not.toMatch(/[\u0000-\u001f]|abcdefgh12345/);
      }),
      { numRuns: 300 * TIMES },
    );
  });

  it('are looked for in little time, however long the lines are', () => {
    const beginnings = [
      'dataloader worker (pid',
      'error watchdog',
      'NVRM: Xid (',
      'Error '.repeat(9),
      'a.',
      '[',
    ];
    const lines = beginnings.flatMap((text) => Array.from({ length: 50 }, () => text.repeat(9_000)));
    const began = performance.now();
    errorIn(lines);
    expect(performance.now() - began).toBeLessThan(5_000);
  });
});
