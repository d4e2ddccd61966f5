"""What people do with TrainJobs by Kubeflow's SDK. Prints the name of each part that held; ends with an error at the first one that did not."""

import sys

from kubeflow.trainer import (
    BuiltinTrainer,
    CustomTrainer,
    CustomTrainerContainer,
    KubernetesBackendConfig,
    TorchTuneConfig,
    TrainerClient,
)
from kubeflow.trainer.options import (
    ActiveDeadlineSeconds,
    JobSetSpecPatch,
    JobSetTemplatePatch,
    JobSpecPatch,
    JobTemplatePatch,
    Labels,
    Name,
    PodSpecPatch,
    PodTemplatePatch,
    ReplicatedJobPatch,
    RuntimePatch,
    TrainingRuntimeSpecPatch,
)

client = TrainerClient(KubernetesBackendConfig(namespace=sys.argv[1]))


def held(what):
    print(f"HELD {what}", flush=True)


def equal(got, wanted):
    if got != wanted:
        raise AssertionError(f"got {got!r}, wanted {wanted!r}")


def train(steps):
    import os
    import time

    names = ["PET_NNODES", "PET_NODE_RANK", "PET_MASTER_ADDR", "PET_MASTER_PORT", "SEED"]
    print(" ".join(os.environ[name] for name in names), flush=True)
    for step in range(int(steps)):
        print("step", step, flush=True)
        time.sleep(0.5)
    print("trained", flush=True)


def crash():
    raise SystemExit(3)


runtimes = {runtime.name: runtime for runtime in client.list_runtimes()}
equal({"torch-distributed", "strict"} - runtimes.keys(), set())
equal(client.get_runtime("torch-distributed").trainer.framework, "torch")
held("list_runtimes, get_runtime")

patch = RuntimePatch(
    training_runtime_spec=TrainingRuntimeSpecPatch(
        template=JobSetTemplatePatch(
            spec=JobSetSpecPatch(
                replicated_jobs=[
                    ReplicatedJobPatch(
                        name="node",
                        template=JobTemplatePatch(
                            spec=JobSpecPatch(
                                template=PodTemplatePatch(
                                    metadata={"labels": {"level": "the-pod"}},
                                    spec=PodSpecPatch(node_selector={"signalbox.dev/node": "local"}),
                                )
                            )
                        ),
                    )
                ]
            )
        )
    )
)
name = client.train(
    runtime="torch-distributed",
    trainer=CustomTrainer(func=train, func_args={"steps": "40"}, num_nodes=2, env={"SEED": "7"}),
    options=[Name("digits"), Labels({"team": "vision"}), ActiveDeadlineSeconds(600), patch],
)
equal(name, "digits")
running = client.wait_for_job_status(name, status={"Running"}, timeout=300)
equal([running.num_nodes, sorted(step.name for step in running.steps)], [2, ["node-0", "node-1"]])
held("train, wait_for_job_status Running")

followed = list(client.get_job_logs(name, follow=True))
done = client.wait_for_job_status(name, timeout=300)
equal([done.status, {step.status for step in done.steps}], ["Complete", {"Succeeded"}])
held("wait_for_job_status Complete")

for index in (0, 1):
    lines = list(client.get_job_logs(name, step=f"node-{index}"))
    equal(lines[0], f"2 {index} digits-node-0-0.digits 29500 7")
    equal(lines[-1], "trained")
equal(followed[-1], "trained")
held("get_job_logs")

events = client.get_job_events(name)
equal({"TrainJob", "Pod"} - {event.involved_object_kind for event in events}, set())
held("get_job_events")

pods = client.backend.core_api.list_namespaced_pod(sys.argv[1], label_selector="level=the-pod").items
equal([pod.spec.node_selector for pod in pods], 2 * [{"signalbox.dev/node": "local"}])
held("runtime patches")

equal([job.name for job in client.list_jobs() if job.name == name], [name])
equal([job.name for job in client.list_jobs(runtime=runtimes["strict"])], [])
client.delete_job(name)
held("list_jobs, delete_job")

container = client.train(
    runtime="torch-distributed",
    trainer=CustomTrainerContainer(image="docker.io/hello-world", num_nodes=1),
)
client.wait_for_job_status(container, timeout=300)
equal(list(client.get_job_logs(container)), ["Hello from Docker!"])
held("CustomTrainerContainer")

failing = client.train(runtime="strict", trainer=CustomTrainer(func=crash))
try:
    client.wait_for_job_status(failing, timeout=300)
except RuntimeError as error:
    equal(str(error), f"TrainJob {failing} is Failed")
    held("a program that fails")

tuned = client.train(
    runtime="torchtune-llama3.2-1b",
    trainer=BuiltinTrainer(config=TorchTuneConfig(epochs=2, num_nodes=1)),
)
client.wait_for_job_status(tuned, timeout=300)
(line,) = client.get_job_logs(tuned)
equal(line.startswith("run full_finetune_single_device --config llama3_2/1B_full_single_device "), True)
equal(line.endswith(" epochs=2"), True)
held("BuiltinTrainer")
