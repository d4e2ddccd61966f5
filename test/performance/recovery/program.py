"""A training program without the training: what a collective job does when it fails, and a log of it.

Ranks meet at MASTER_ADDR:MASTER_PORT. A step is a pause and a barrier over TCP through rank 0. A rank that loses a peer
ends with 1 at once, and one that waits for a peer ends when the time-out of collectives is over, as with gloo and NCCL.
Rank 0 writes a checkpoint after every so many steps; whoever starts reads the last one.

Each process writes its own log into FOLDER/log, a line of JSON for each event, with the time of the machine's clock.

SIGUSR1: an exception, exit code 1. SIGUSR2: a collective that never ends. SIGHUP: steps take five times as long.
SIGTERM: ignored, as by process 1 of a container without a handler, or with --on-sigterm=checkpoint a checkpoint of all
ranks before this one ends.
"""

import argparse
import json
import os
import signal
import socket
import time

RANK = int(os.environ["RANK"])
WORLD = int(os.environ["WORLD_SIZE"])
RETRY_SECONDS = 0.1


def main():
    options = parse_options()
    log = Log(options.folder)
    training = Training(options, log)
    try:
        training.run()
    except (OSError, EOFError) as error:
        end(log, 1, f"{type(error).__name__}: {error}")


def parse_options():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--folder", required=True, help="that all ranks share: logs, and the checkpoint")
    parser.add_argument("--step-seconds", type=float, default=0.2)
    parser.add_argument("--checkpoint-steps", type=int, default=50, help="steps between two checkpoints")
    parser.add_argument("--load-seconds", type=float, default=1, help="how long reading a checkpoint takes")
    parser.add_argument("--collective-seconds", type=float, default=600, help="time-out of a barrier")
    parser.add_argument("--join-seconds", type=float, default=600, help="time-out of the rendezvous")
    parser.add_argument("--on-sigterm", choices=["ignore", "checkpoint"], default="ignore")
    parser.add_argument("--progress-file", help="written at each step, for a liveness probe")
    return parser.parse_args()


class Log:
    def __init__(self, folder):
        os.makedirs(f"{folder}/log", exist_ok=True)
        self.run = f"{RANK}-{time.time_ns()}-{os.getpid()}"
        self._file = os.open(f"{folder}/log/{self.run}.jsonl", os.O_CREAT | os.O_WRONLY | os.O_APPEND)
        self.note("started", rank=RANK, pid=os.getpid(), pod=os.environ["POD_NAME"])

    def note(self, what, **more):
        # Without a buffer: handlers of signals write, too.
        os.write(self._file, f"{json.dumps({'at': time.time() * 1000, 'what': what, **more})}\n".encode())


class Training:
    def __init__(self, options, log):
        self._options = options
        self._log = log
        self._is_told = False
        signal.signal(signal.SIGTERM, self._on_sigterm)
        signal.signal(signal.SIGUSR1, lambda *_: end(log, 1, "an exception"))
        signal.signal(signal.SIGUSR2, lambda *_: self._wait_for_nobody())
        signal.signal(signal.SIGHUP, lambda *_: self._slow_down())

    def run(self):
        self._tell_probe()
        peers = Hub(self._options, self._log) if RANK == 0 else Spoke(self._options)
        step = peers.join(self._read_checkpoint)
        self._log.note("joined", world=peers.world)
        time.sleep(self._options.load_seconds)
        self._log.note("loaded", step=step)
        while True:
            time.sleep(self._options.step_seconds)
            step += 1
            peers.barrier(self._is_told, lambda told: self._save(step, told))
            self._log.note("step", step=step)
            print(f"step={step}", flush=True)
            self._tell_probe()
            if peers.has_saved and self._is_told:
                end(self._log, 143, "told to stop")

    def _on_sigterm(self, *_):
        self._log.note("told to stop")
        self._is_told = self._options.on_sigterm == "checkpoint"

    def _wait_for_nobody(self):
        time.sleep(self._options.collective_seconds)
        end(self._log, 1, "a collective timed out")

    def _slow_down(self):
        self._options.step_seconds *= 5

    def _tell_probe(self):
        if self._options.progress_file:
            with open(self._options.progress_file, "w", encoding="utf-8"):
                os.utime(self._options.progress_file)

    def _read_checkpoint(self):
        try:
            with open(f"{self._options.folder}/checkpoint.json", encoding="utf-8") as file:
                return json.load(file)["step"]
        except FileNotFoundError:
            return 0

    def _save(self, step, is_told):
        """Of rank 0, when all ranks have come to the barrier of a step. Returns whether somebody was told to stop."""
        if is_told or step % self._options.checkpoint_steps == 0:
            folder = self._options.folder
            with open(f"{folder}/checkpoint.tmp", "w", encoding="utf-8") as file:
                json.dump({"step": step, "run": self._log.run}, file)
                file.flush()
                os.fsync(file.fileno())
            os.replace(f"{folder}/checkpoint.tmp", f"{folder}/checkpoint.json")
            self._log.note("checkpoint", step=step)
        return is_told


class Hub:
    """Rank 0: all others are connected to it."""

    def __init__(self, options, log):
        self._options = options
        self._peers = {}
        self.world = log.run
        self.has_saved = False

    def join(self, read_checkpoint):
        deadline = time.monotonic() + self._options.join_seconds
        address = (os.environ["POD_IP"], int(os.environ["MASTER_PORT"]))
        with socket.create_server(address) as door:
            while len(self._peers) < WORLD - 1:
                door.settimeout(max(0.001, deadline - time.monotonic()))
                peer = Line(door.accept()[0], self._options.collective_seconds)
                self._peers[peer.read()["rank"]] = peer
        step = read_checkpoint()
        for peer in self._peers.values():
            peer.write({"world": self.world, "step": step})
        return step

    def barrier(self, is_told, save):
        told = [peer.read()["told"] for peer in self._peers.values()]
        self.has_saved = save(is_told or any(told))
        for peer in self._peers.values():
            peer.write({"saved": self.has_saved})


class Spoke:
    """Every other rank."""

    def __init__(self, options):
        self._options = options
        self.has_saved = False

    def join(self, _read_checkpoint):
        deadline = time.monotonic() + self._options.join_seconds
        self._hub = self._dial(deadline)
        self._hub.limit(max(0.001, deadline - time.monotonic()))
        self._hub.write({"rank": RANK})
        told = self._hub.read()
        self._hub.limit(self._options.collective_seconds)
        self.world = told["world"]
        return told["step"]

    def barrier(self, is_told, _save):
        self._hub.write({"told": is_told})
        self.has_saved = self._hub.read()["saved"]

    def _dial(self, deadline):
        """Rank 0 may start later, and its name appear when its pod does."""
        while True:
            try:
                address = (os.environ["MASTER_ADDR"], int(os.environ["MASTER_PORT"]))
                left = max(0.001, deadline - time.monotonic())
                return Line(socket.create_connection(address, timeout=left), left)
            except OSError:
                if time.monotonic() > deadline:
                    raise
                time.sleep(RETRY_SECONDS)


class Line:
    """A connection on which both say one line of JSON at a time."""

    def __init__(self, connection, seconds):
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._connection = connection
        self._held = b""
        self.limit(seconds)

    def limit(self, seconds):
        self._connection.settimeout(seconds)

    def write(self, message):
        self._connection.sendall(json.dumps(message).encode() + b"\n")

    def read(self):
        while b"\n" not in self._held:
            received = self._connection.recv(4096)
            if not received:
                raise EOFError("lost a peer")
            self._held += received
        line, _, self._held = self._held.partition(b"\n")
        return json.loads(line)


def end(log, code, why):
    log.note("ended", code=code, why=why)
    os._exit(code)


main()
