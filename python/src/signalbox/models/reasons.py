"""Generated from contracts/reasons.ts by `npm run docs`."""

from typing import NamedTuple


class Reason(NamedTuple):
    """What a reason code means."""

    reason_class: str
    """Who can do something about it: waiting, request, program, infrastructure, limit, stopped or engine."""
    sentence: str
    remedy: str
    """For a status that has none of its own: {job} stands for the name of the job and its namespace."""
    who: str | None
    """Who can end a wait that `why` names: you, administrator or nobody."""


REASONS = {
    "Suspended": Reason(
        "waiting",
        "The job is suspended: it has no pods and uses no resources.",
        "Resume it: `signalbox resume {job}`. If a queue such as Kueue suspends it, wait: `signalbox why {job}` says for what.",
        "you",
    ),
    "HeldForDebugging": Reason(
        "waiting",
        "The failed pods are kept for inspection.",
        "Inspect them; `signalbox release {job}` lets the job continue, `signalbox hold {job} --for 1h` keeps them longer.",
        "you",
    ),
    "CheckpointRequested": Reason(
        "waiting",
        "The job was asked for a checkpoint before it stops.",
        "Wait until the checkpoint is acknowledged or its time is over; a second stop does not wait.",
        "nobody",
    ),
    "ReplacingPods": Reason(
        "waiting",
        "Failed or lost pods are being replaced, perhaps after a back-off.",
        "Wait; each replacement counts against the job’s limit of restarts, if it has one.",
        "nobody",
    ),
    "RestartingGang": Reason(
        "waiting",
        "The whole gang restarts, as a new attempt.",
        "Wait; the new attempt begins when every pod of the old one is gone.",
        "nobody",
    ),
    "Evicted": Reason(
        "waiting",
        "The queue that admitted the job takes that back; the job stops, and waits to be admitted again.",
        "Wait: the job continues by itself. The message says what the queue gave as its reason.",
        None,
    ),
    "Preempted": Reason(
        "waiting",
        "A job of a higher priority takes the place of this one, which waits to be admitted again.",
        "Wait, or raise the priority of the job. A checkpoint in time limits what is lost.",
        None,
    ),
    "Reclaimed": Reason(
        "waiting",
        "The job ran on what its queue had borrowed, which the owner takes back; it waits to be admitted again.",
        "Wait: the job continues when its queue has room. A checkpoint in time limits what is lost.",
        None,
    ),
    "CapacityTaken": Reason(
        "waiting",
        "There was room for the whole gated gang, but others took some of it before all pods had a node; the gang gives back what it held, and waits for its next turn.",
        "Wait. If it happens again and again, pods of others come and go on the same nodes: keep them off by taints, or give the job a priority class above theirs.",
        "nobody",
    ),
    "TooFewNewNodes": Reason(
        "waiting",
        "The gates of the gang were lifted before there was room for it (`lift: onQuota`), and not all of its pods got a node soon after the first; the gang gives back what it held, and waits anew.",
        "Wait: nodes that come late are there for the next try. If it happens again and again, the autoscaler adds fewer nodes than the gang needs: see its limits. With `gated-native` no part of a gang is placed.",
        "nobody",
    ),
    "Scaling": Reason(
        "waiting",
        "Replicas are being added or removed.",
        "Wait.",
        "nobody",
    ),
    "NeverFits": Reason(
        "waiting",
        "The job needs more than it could have if all else had ended: more than the nodes have, or than a quota, its queue or its lane allows.",
        "Request less, raise the limit that the message names, or add nodes; then the job continues by itself. Or stop it.",
        "you",
    ),
    "Forbidden": Reason(
        "waiting",
        "signalbox lacks a permission that the job needs.",
        "Grant the permission to the account that the message names (deploy/kubernetes lists all permissions); the job continues by itself.",
        "administrator",
    ),
    "NamespaceMissing": Reason(
        "waiting",
        "The job’s namespace does not exist.",
        "Create the namespace, and the job continues by itself; or stop the job and submit it to another.",
        "you",
    ),
    "NamespaceTerminating": Reason(
        "waiting",
        "The job’s namespace is being deleted: nothing can be created in it any more.",
        "Stop the job and submit it to another namespace. Or create the namespace again once it is gone; the job then continues by itself.",
        "you",
    ),
    "WebhookUnavailable": Reason(
        "waiting",
        "An admission webhook that the API server must call does not answer.",
        "Repair the webhook that the message names; the job continues by itself.",
        "administrator",
    ),
    "ApiServerUnavailable": Reason(
        "waiting",
        "The API server does not answer, or answers with an error of its own.",
        "Wait, or look at the API server; the job continues by itself.",
        "administrator",
    ),
    "ClusterRefused": Reason(
        "request",
        "The API server refuses an object of the job: it is invalid, or a policy or webhook denies it; or it was refused for longer than the policy’s refusals.failAfter.",
        "Read its message: the pod template is invalid or not allowed, or a quota, permission or namespace was missing for too long.",
        "you",
    ),
    "DependencyMissing": Reason(
        "waiting",
        "The job’s objects name something that the cluster does not have, e.g. a service account, a class, a ConfigMap, a claim or a node.",
        "Create what the message names; the job continues by itself.",
        "you",
    ),
    "QueueClosed": Reason(
        "waiting",
        "The queue or lane does not exist, or does not take this job; or the job is deactivated in its queue.",
        "Name another queue. Or an administrator creates or opens it, or activates the job again; the job continues by itself.",
        "administrator",
    ),
    "LaneFaulty": Reason(
        "waiting",
        "The configuration of lanes, or of the job’s lane, is missing or has a fault.",
        "An administrator has to mend the ConfigMap that SIGNALBOX_LANES names, as the message says; the job continues by itself.",
        "administrator",
    ),
    "GroupMissing": Reason(
        "waiting",
        "The group that makes the pods a gang does not exist.",
        "A user or a controller has deleted it. Suspend and resume the job: its group is made anew with its pods.",
        "administrator",
    ),
    "MixedSchedulers": Reason(
        "waiting",
        "Pods of a gang name another scheduler than the one of the gang.",
        "Remove schedulerName from the pod templates, or name the scheduler of the gang in all of them, and submit the job again.",
        "you",
    ),
    "SchedulerSilent": Reason(
        "waiting",
        "No scheduler has said anything of the pods, e.g. because none of that name runs.",
        "Start the scheduler that the message names, or name another in the pod templates.",
        "administrator",
    ),
    "SchedulingGated": Reason(
        "waiting",
        "A scheduling gate holds pods back until its owner lifts it.",
        "Ask the program that owns the gate that the message names.",
        "administrator",
    ),
    "WaitingInLane": Reason(
        "waiting",
        "The job waits for its turn in its lane.",
        "See `signalbox queue` for who is ahead and who holds what, and `signalbox why {job}`.",
        "nobody",
    ),
    "WaitingForQueue": Reason(
        "waiting",
        "A queue has not admitted the job yet; its own words say why.",
        "Wait; the queue admits the job when it is its turn and there is quota.",
        "nobody",
    ),
    "QuotaExceeded": Reason(
        "waiting",
        "A ResourceQuota of the namespace leaves too little for the job’s objects.",
        "Free or raise the quota that the message names; the job continues by itself.",
        "nobody",
    ),
    "WaitingForGang": Reason(
        "waiting",
        "The gang scheduler has not found room for the whole gang.",
        "See `signalbox why {job}`: it says node by node what is short, and who can change it.",
        None,
    ),
    "Unschedulable": Reason(
        "waiting",
        "At least one pod has no node.",
        "See `signalbox why {job}`: it says node by node what is short, what else the pods lack, and who can change it.",
        None,
    ),
    "NoNodeMatches": Reason(
        "waiting",
        "Too few nodes match selector, affinity and tolerations of the pods, or are in service, even if they were empty.",
        "Change what the pods demand of a node, or label, repair or add nodes.",
        "either",
    ),
    "NotEnoughRoom": Reason(
        "waiting",
        "Nodes match, but too little of them is free.",
        "Wait until others end; the answer names who holds what. Or request less, or add nodes.",
        "nobody",
    ),
    "RoomByPreemption": Reason(
        "waiting",
        "There is room once pods of a lower priority are gone, which the scheduler removes for these.",
        "Wait: the scheduler removes them as soon as the pods exist. To wait for room instead, name a PriorityClass with preemptionPolicy Never.",
        "nobody",
    ),
    "CapacityBeingFreed": Reason(
        "waiting",
        "There is room once pods are gone that are being deleted, or placed that have room reserved.",
        "Wait.",
        "nobody",
    ),
    "WaitingForTurn": Reason(
        "waiting",
        "Gated gangs are placed one at a time; others are ahead, or this one is next.",
        "Wait; the answer says who is ahead.",
        "nobody",
    ),
    "PodsTerminating": Reason(
        "waiting",
        "Pods that are being deleted are still there after their grace period.",
        "Repair the node, or remove it from the cluster. A named finalizer is removed by the program that added it; if that is gone, remove it by hand (`kubectl edit pod`). If the node is off for good, delete the pod by force (`kubectl delete pod --force`); with `nodes.forceDeleteAfter` in the policy such pods are deleted by force after that time, at the risk that an old pod and its replacement both write.",
        "administrator",
    ),
    "NotComputed": Reason(
        "waiting",
        "Whether pods find a place is not computed here: they also need e.g. devices by claims, or it depends on which nodes the first of them get.",
        "Read the words of the scheduler once the pods exist: they say whether the terms are met.",
        "unknown",
    ),
    "VolumePending": Reason(
        "waiting",
        "A PersistentVolumeClaim is not bound.",
        "Read the message: it says what the claim waits for, e.g. a StorageClass, a provisioner or a volume.",
        "administrator",
    ),
    "WaitingForNodes": Reason(
        "waiting",
        "The autoscaler adds nodes, or says why it does not.",
        "Wait for the nodes. If it adds none, its words say which limit to raise or what to change in the pods.",
        "nobody",
    ),
    "NodeNotReady": Reason(
        "waiting",
        "A node that runs pods of the job, or that they name, is not ready or out of service.",
        "Check the kubelet and the network of the node. The job continues when the node is ready. If the node stays silent, a gang restarts elsewhere once Kubernetes deletes the pods there, if that is safe; with `nodes.lostAfter` in the policy the pods are replaced after that time.",
        "administrator",
    ),
    "ContainersRestarting": Reason(
        "waiting",
        "A container fails again and again; its kubelet restarts it after growing pauses.",
        "`signalbox logs {job} --previous` prints the run that ended. Limit how often it is restarted by a rung of scope container in restart.ladder, or by backoffLimit where the manifest can have one.",
        "you",
    ),
    "ContainersNotReady": Reason(
        "waiting",
        "Pods have nodes, but not all their containers are ready.",
        "Read the message of the waiting pod: an image, a volume, a ConfigMap or a readiness probe.",
        "you",
    ),
    "CreatingObjects": Reason(
        "waiting",
        "The objects of the job are being created.",
        "Wait; if it lasts, look at the pending activity in the Temporal UI: it shows the API server’s answer.",
        "nobody",
    ),
    "AwaitingWatcher": Reason(
        "waiting",
        "No watcher has reported the job’s pods yet, or none decides about lanes.",
        "Wait a moment. If it lasts, `signalbox doctor` says whether a watcher runs (start one with `signalbox watcher`, or `signalbox up`), and which of its streams from the cluster are interrupted; so does `/readyz` of the watcher.",
        "administrator",
    ),
    "CleaningUp": Reason(
        "waiting",
        "The outcome is decided; the objects that the clean-up policy names are being deleted.",
        "Wait; if it lasts, read the message: it says what cannot be deleted, and why. `signalbox retry-now {job}` tries again at once.",
        "nobody",
    ),
    "Unknown": Reason(
        "waiting",
        "Nothing is found that keeps the job waiting, and it still waits.",
        "Read the words of the scheduler: they are all there is.",
        "nobody",
    ),
    "InvalidManifest": Reason(
        "request",
        "The manifest has errors; nothing was created.",
        "Correct each error that the message lists by its path, and submit again.",
        None,
    ),
    "RepeatedByTemporal": Reason(
        "request",
        "The job’s workflow has a cron schedule, or was retried by a retry policy of Temporal.",
        "Terminate the workflow, which a cron schedule would repeat. Start jobs by the clock with `signalbox schedule create` or a Schedule of Temporal; restarts belong into the manifest and its policy.",
        None,
    ),
    "ResourceDeleted": Reason(
        "request",
        "The custom resource was deleted before its job was admitted; nothing was created.",
        "Apply the manifest again to run it.",
        None,
    ),
    "ResourceEnded": Reason(
        "request",
        "The custom resource has had its job, which has ended; it was not run again.",
        "Delete the resource and apply it again to run it.",
        None,
    ),
    "ResourceRequired": Reason(
        "request",
        "This installation runs only jobs that are applied as custom resources; nothing was created.",
        "Apply the manifest to the cluster, e.g. with `kubectl apply -f`. SIGNALBOX_REQUIRE_RESOURCE of the workers decides it (docs/security.md).",
        None,
    ),
    "NameTaken": Reason(
        "request",
        "Another running job, or an object that signalbox did not create, has a name that this job needs.",
        "Stop the other job, delete the object, or choose another name.",
        None,
    ),
    "ReferenceMissing": Reason(
        "request",
        "The custom resource names an object that the cluster does not have; nothing was created.",
        "Apply the object that the message names; the job starts within a minute.",
        None,
    ),
    "PodFailed": Reason(
        "program",
        "A pod failed, and its restart policy does not allow a restart.",
        "`signalbox evidence {job}` has its last lines. If a restart could succeed, choose restartPolicy OnFailure or ExitCode.",
        None,
    ),
    "PodEvicted": Reason(
        "infrastructure",
        "A pod was evicted, and the job cannot continue without it.",
        "The message says what its node ran out of. Request what the program needs.",
        None,
    ),
    "PermanentExitCode": Reason(
        "program",
        "A container ended with an exit code below 128, which restartPolicy ExitCode treats as final.",
        "`signalbox evidence {job}` has its last lines. A program that wants a restart exits with 128 or more.",
        None,
    ),
    "BackoffLimitExceeded": Reason(
        "program",
        "The job was restarted as often as its limit of restarts allows, and failed again.",
        "`signalbox evidence {job}` has its last lines. Raise the limit that the rule names if restarts are expected.",
        None,
    ),
    "FinalFailure": Reason(
        "program",
        "A pod failed in a way that the job’s policy treats as final.",
        "`signalbox evidence {job}` has its last lines. What is final says the annotation signalbox.dev/policy, in which the rule is.",
        None,
    ),
    "FailureBudgetExceeded": Reason(
        "program",
        "Failures of one class exceeded its budget in the job’s policy.",
        "`signalbox evidence {job}` has its last lines. A larger budget of the class, in the annotation signalbox.dev/policy, allows more.",
        None,
    ),
    "RestartsExhausted": Reason(
        "program",
        "Every rung of the policy’s restart ladder was used up, and the job failed again.",
        "`signalbox evidence {job}` has its last lines. More rungs or times in restart.ladder, in the annotation signalbox.dev/policy, allow more.",
        None,
    ),
    "NodeLost": Reason(
        "infrastructure",
        "A node was unhealthy for longer than the policy’s nodes.lostAfter, or is silent while Kubernetes deletes its pods; these count as lost.",
        "Repair or remove the node; the job’s restart rules decide what follows.",
        None,
    ),
    "NodeSick": Reason(
        "infrastructure",
        "A source of health calls a node sick or repairs it, and the policy’s nodes.onSick lets the job go on elsewhere.",
        "Repair or remove the node; the job’s restart rules decide what follows.",
        None,
    ),
    "NodeLeaving": Reason(
        "infrastructure",
        "A source of health says that a node goes away, and the policy’s nodes.onLeaving lets the job go on elsewhere before that.",
        "Nothing: the job goes on elsewhere as its restart rules say.",
        None,
    ),
    "NotPlacedInTime": Reason(
        "limit",
        "The gang has not got its nodes within `gang.placedWithin` of the policy.",
        "See the message for what was short. Free capacity, request less, or raise the limit; `otherwise: requeue` lets the job wait anew instead of failing.",
        None,
    ),
    "StartUpFailed": Reason(
        "infrastructure",
        "Pods waited longer to start than the policy allows.",
        "Read the message of the waiting pod: an image, a volume, a ConfigMap, or no node with room.",
        None,
    ),
    "Stalled": Reason(
        "program",
        "The program got no further: no report for longer than `progress.stalledAfter` of the policy, or no step for longer than usual with `progress.onHang`.",
        "Read the last log lines of the pods that still ran: `signalbox evidence {job}`. If they show progress, check the pattern progress.log, and that each report ends its line.",
        None,
    ),
    "DeadlineExceeded": Reason(
        "limit",
        "The job was active for longer than its activeDeadlineSeconds.",
        "Raise the limit, or see what took the time: `signalbox history {job}`.",
        None,
    ),
    "StopRequested": Reason(
        "stopped",
        "A user stopped the job.",
        "Submit it again to run it again.",
        None,
    ),
    "Cancelled": Reason(
        "stopped",
        "The workflow was cancelled.",
        "Submit it again to run it again.",
        None,
    ),
    "StoppedByRule": Reason(
        "stopped",
        "A rule of the manifest ended the job, e.g. TerminateJob.",
        "See the evidence of the pod in the message; submit the job again to run it again.",
        None,
    ),
    "AnchorDeleted": Reason(
        "stopped",
        "Somebody deleted the job’s anchor, the ConfigMap JOB.signalbox that owns all its objects: Kubernetes deleted its pods and Services with it, and the job is over.",
        "Run it again: `signalbox rerun {job}`. First see who deletes it: `kubectl delete configmap --all` does, a tool that prunes what is not in its repository, and who deletes the namespace (create that again first). To end a job use `signalbox stop {job}`.",
        None,
    ),
    "WorkflowTerminated": Reason(
        "stopped",
        "The workflow ended without clean-up; the watcher had its objects deleted.",
        "To end a job in order, use `signalbox stop {job}`, or cancel the workflow instead of terminating it.",
        None,
    ),
    "EngineFault": Reason(
        "engine",
        "signalbox itself failed.",
        "Please report it with the workflow’s history.",
        None,
    ),
}
