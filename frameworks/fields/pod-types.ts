// Generated from the models of @kubernetes/client-node by `npm run docs`.

/** The version of Kubernetes whose fields these are. */
export const PODS_OF_KUBERNETES = '1.36';

/** The fields of each type, each with a colon and its type behind the name: [] is a list, {} a map, and text has none. */
export const POD_TYPES: Readonly<Record<string, string>> = {
  PodTemplateSpec: 'metadata:ObjectMeta spec:PodSpec',
  ObjectMeta:
    'annotations:{string} creationTimestamp:any deletionGracePeriodSeconds:number deletionTimestamp:any finalizers:[string] generateName generation:number labels:{string} managedFields:[ManagedFieldsEntry] name namespace ownerReferences:[OwnerReference] resourceVersion selfLink uid',
  ManagedFieldsEntry: 'apiVersion fieldsType fieldsV1:any manager operation subresource time:any',
  OwnerReference: 'apiVersion blockOwnerDeletion:boolean controller:boolean kind name uid',
  PodSpec:
    'activeDeadlineSeconds:number affinity:Affinity automountServiceAccountToken:boolean containers:[Container] dnsConfig:PodDNSConfig dnsPolicy enableServiceLinks:boolean ephemeralContainers:[EphemeralContainer] hostAliases:[HostAlias] hostIPC:boolean hostNetwork:boolean hostPID:boolean hostUsers:boolean hostname hostnameOverride imagePullSecrets:[LocalObjectReference] initContainers:[Container] nodeName nodeSelector:{string} os:PodOS overhead:any preemptionPolicy priority:number priorityClassName readinessGates:[PodReadinessGate] resourceClaims:[PodResourceClaim] resources:ResourceRequirements restartPolicy runtimeClassName schedulerName schedulingGates:[PodSchedulingGate] schedulingGroup:PodSchedulingGroup securityContext:PodSecurityContext serviceAccount serviceAccountName setHostnameAsFQDN:boolean shareProcessNamespace:boolean subdomain terminationGracePeriodSeconds:number tolerations:[Toleration] topologySpreadConstraints:[TopologySpreadConstraint] volumes:[Volume]',
  Affinity: 'nodeAffinity:NodeAffinity podAffinity:PodAffinity podAntiAffinity:PodAntiAffinity',
  NodeAffinity:
    'preferredDuringSchedulingIgnoredDuringExecution:[PreferredSchedulingTerm] requiredDuringSchedulingIgnoredDuringExecution:NodeSelector',
  PreferredSchedulingTerm: 'preference:NodeSelectorTerm weight:number',
  NodeSelectorTerm: 'matchExpressions:[NodeSelectorRequirement] matchFields:[NodeSelectorRequirement]',
  NodeSelectorRequirement: 'key operator values:[string]',
  NodeSelector: 'nodeSelectorTerms:[NodeSelectorTerm]',
  PodAffinity:
    'preferredDuringSchedulingIgnoredDuringExecution:[WeightedPodAffinityTerm] requiredDuringSchedulingIgnoredDuringExecution:[PodAffinityTerm]',
  WeightedPodAffinityTerm: 'podAffinityTerm:PodAffinityTerm weight:number',
  PodAffinityTerm:
    'labelSelector:LabelSelector matchLabelKeys:[string] mismatchLabelKeys:[string] namespaceSelector:LabelSelector namespaces:[string] topologyKey',
  LabelSelector: 'matchExpressions:[LabelSelectorRequirement] matchLabels:{string}',
  LabelSelectorRequirement: 'key operator values:[string]',
  PodAntiAffinity:
    'preferredDuringSchedulingIgnoredDuringExecution:[WeightedPodAffinityTerm] requiredDuringSchedulingIgnoredDuringExecution:[PodAffinityTerm]',
  Container:
    'args:[string] command:[string] env:[EnvVar] envFrom:[EnvFromSource] image imagePullPolicy lifecycle:Lifecycle livenessProbe:Probe name ports:[ContainerPort] readinessProbe:Probe resizePolicy:[ContainerResizePolicy] resources:ResourceRequirements restartPolicy restartPolicyRules:[ContainerRestartRule] securityContext:SecurityContext startupProbe:Probe stdin:boolean stdinOnce:boolean terminationMessagePath terminationMessagePolicy tty:boolean volumeDevices:[VolumeDevice] volumeMounts:[VolumeMount] workingDir',
  EnvVar: 'name value valueFrom:EnvVarSource',
  EnvVarSource:
    'configMapKeyRef:ConfigMapKeySelector fieldRef:ObjectFieldSelector fileKeyRef:FileKeySelector resourceFieldRef:ResourceFieldSelector secretKeyRef:SecretKeySelector',
  ConfigMapKeySelector: 'key name optional:boolean',
  ObjectFieldSelector: 'apiVersion fieldPath',
  FileKeySelector: 'key optional:boolean path volumeName',
  ResourceFieldSelector: 'containerName divisor resource',
  SecretKeySelector: 'key name optional:boolean',
  EnvFromSource: 'configMapRef:ConfigMapEnvSource prefix secretRef:SecretEnvSource',
  ConfigMapEnvSource: 'name optional:boolean',
  SecretEnvSource: 'name optional:boolean',
  Lifecycle: 'postStart:LifecycleHandler preStop:LifecycleHandler stopSignal',
  LifecycleHandler: 'exec:ExecAction httpGet:HTTPGetAction sleep:SleepAction tcpSocket:TCPSocketAction',
  ExecAction: 'command:[string]',
  HTTPGetAction: 'host httpHeaders:[HTTPHeader] path port:any scheme',
  HTTPHeader: 'name value',
  SleepAction: 'seconds:number',
  TCPSocketAction: 'host port:any',
  Probe:
    'exec:ExecAction failureThreshold:number grpc:GRPCAction httpGet:HTTPGetAction initialDelaySeconds:number periodSeconds:number successThreshold:number tcpSocket:TCPSocketAction terminationGracePeriodSeconds:number timeoutSeconds:number',
  GRPCAction: 'port:number service',
  ContainerPort: 'containerPort:number hostIP hostPort:number name protocol',
  ContainerResizePolicy: 'resourceName restartPolicy',
  ResourceRequirements: 'claims:[ResourceClaim] limits:any requests:any',
  ResourceClaim: 'name request',
  ContainerRestartRule: 'action exitCodes:ContainerRestartRuleOnExitCodes',
  ContainerRestartRuleOnExitCodes: 'operator values:[number]',
  SecurityContext:
    'allowPrivilegeEscalation:boolean appArmorProfile:AppArmorProfile capabilities:Capabilities privileged:boolean procMount readOnlyRootFilesystem:boolean runAsGroup:number runAsNonRoot:boolean runAsUser:number seLinuxOptions:SELinuxOptions seccompProfile:SeccompProfile windowsOptions:WindowsSecurityContextOptions',
  AppArmorProfile: 'localhostProfile type',
  Capabilities: 'add:[string] drop:[string]',
  SELinuxOptions: 'level role type user',
  SeccompProfile: 'localhostProfile type',
  WindowsSecurityContextOptions:
    'gmsaCredentialSpec gmsaCredentialSpecName hostProcess:boolean runAsUserName',
  VolumeDevice: 'devicePath name',
  VolumeMount: 'mountPath mountPropagation name readOnly:boolean recursiveReadOnly subPath subPathExpr',
  PodDNSConfig: 'nameservers:[string] options:[PodDNSConfigOption] searches:[string]',
  PodDNSConfigOption: 'name value',
  EphemeralContainer:
    'args:[string] command:[string] env:[EnvVar] envFrom:[EnvFromSource] image imagePullPolicy lifecycle:Lifecycle livenessProbe:Probe name ports:[ContainerPort] readinessProbe:Probe resizePolicy:[ContainerResizePolicy] resources:ResourceRequirements restartPolicy restartPolicyRules:[ContainerRestartRule] securityContext:SecurityContext startupProbe:Probe stdin:boolean stdinOnce:boolean targetContainerName terminationMessagePath terminationMessagePolicy tty:boolean volumeDevices:[VolumeDevice] volumeMounts:[VolumeMount] workingDir',
  HostAlias: 'hostnames:[string] ip',
  LocalObjectReference: 'name',
  PodOS: 'name',
  PodReadinessGate: 'conditionType',
  PodResourceClaim: 'name resourceClaimName resourceClaimTemplateName',
  PodSchedulingGate: 'name',
  PodSchedulingGroup: 'podGroupName',
  PodSecurityContext:
    'appArmorProfile:AppArmorProfile fsGroup:number fsGroupChangePolicy runAsGroup:number runAsNonRoot:boolean runAsUser:number seLinuxChangePolicy seLinuxOptions:SELinuxOptions seccompProfile:SeccompProfile supplementalGroups:[number] supplementalGroupsPolicy sysctls:[Sysctl] windowsOptions:WindowsSecurityContextOptions',
  Sysctl: 'name value',
  Toleration: 'effect key operator tolerationSeconds:number value',
  TopologySpreadConstraint:
    'labelSelector:LabelSelector matchLabelKeys:[string] maxSkew:number minDomains:number nodeAffinityPolicy nodeTaintsPolicy topologyKey whenUnsatisfiable',
  Volume:
    'awsElasticBlockStore:AWSElasticBlockStoreVolumeSource azureDisk:AzureDiskVolumeSource azureFile:AzureFileVolumeSource cephfs:CephFSVolumeSource cinder:CinderVolumeSource configMap:ConfigMapVolumeSource csi:CSIVolumeSource downwardAPI:DownwardAPIVolumeSource emptyDir:EmptyDirVolumeSource ephemeral:EphemeralVolumeSource fc:FCVolumeSource flexVolume:FlexVolumeSource flocker:FlockerVolumeSource gcePersistentDisk:GCEPersistentDiskVolumeSource gitRepo:GitRepoVolumeSource glusterfs:GlusterfsVolumeSource hostPath:HostPathVolumeSource image:ImageVolumeSource iscsi:ISCSIVolumeSource name nfs:NFSVolumeSource persistentVolumeClaim:PersistentVolumeClaimVolumeSource photonPersistentDisk:PhotonPersistentDiskVolumeSource portworxVolume:PortworxVolumeSource projected:ProjectedVolumeSource quobyte:QuobyteVolumeSource rbd:RBDVolumeSource scaleIO:ScaleIOVolumeSource secret:SecretVolumeSource storageos:StorageOSVolumeSource vsphereVolume:VsphereVirtualDiskVolumeSource',
  AWSElasticBlockStoreVolumeSource: 'fsType partition:number readOnly:boolean volumeID',
  AzureDiskVolumeSource: 'cachingMode diskName diskURI fsType kind readOnly:boolean',
  AzureFileVolumeSource: 'readOnly:boolean secretName shareName',
  CephFSVolumeSource:
    'monitors:[string] path readOnly:boolean secretFile secretRef:LocalObjectReference user',
  CinderVolumeSource: 'fsType readOnly:boolean secretRef:LocalObjectReference volumeID',
  ConfigMapVolumeSource: 'defaultMode:number items:[KeyToPath] name optional:boolean',
  KeyToPath: 'key mode:number path',
  CSIVolumeSource:
    'driver fsType nodePublishSecretRef:LocalObjectReference readOnly:boolean volumeAttributes:{string}',
  DownwardAPIVolumeSource: 'defaultMode:number items:[DownwardAPIVolumeFile]',
  DownwardAPIVolumeFile:
    'fieldRef:ObjectFieldSelector mode:number path resourceFieldRef:ResourceFieldSelector',
  EmptyDirVolumeSource: 'medium sizeLimit',
  EphemeralVolumeSource: 'volumeClaimTemplate:PersistentVolumeClaimTemplate',
  PersistentVolumeClaimTemplate: 'metadata:ObjectMeta spec:PersistentVolumeClaimSpec',
  PersistentVolumeClaimSpec:
    'accessModes:[string] dataSource:TypedLocalObjectReference dataSourceRef:TypedObjectReference resources:VolumeResourceRequirements selector:LabelSelector storageClassName volumeAttributesClassName volumeMode volumeName',
  TypedLocalObjectReference: 'apiGroup kind name',
  TypedObjectReference: 'apiGroup kind name namespace',
  VolumeResourceRequirements: 'limits:any requests:any',
  FCVolumeSource: 'fsType lun:number readOnly:boolean targetWWNs:[string] wwids:[string]',
  FlexVolumeSource: 'driver fsType options:{string} readOnly:boolean secretRef:LocalObjectReference',
  FlockerVolumeSource: 'datasetName datasetUUID',
  GCEPersistentDiskVolumeSource: 'fsType partition:number pdName readOnly:boolean',
  GitRepoVolumeSource: 'directory repository revision',
  GlusterfsVolumeSource: 'endpoints path readOnly:boolean',
  HostPathVolumeSource: 'path type',
  ImageVolumeSource: 'pullPolicy reference',
  ISCSIVolumeSource:
    'chapAuthDiscovery:boolean chapAuthSession:boolean fsType initiatorName iqn iscsiInterface lun:number portals:[string] readOnly:boolean secretRef:LocalObjectReference targetPortal',
  NFSVolumeSource: 'path readOnly:boolean server',
  PersistentVolumeClaimVolumeSource: 'claimName readOnly:boolean',
  PhotonPersistentDiskVolumeSource: 'fsType pdID',
  PortworxVolumeSource: 'fsType readOnly:boolean volumeID',
  ProjectedVolumeSource: 'defaultMode:number sources:[VolumeProjection]',
  VolumeProjection:
    'clusterTrustBundle:ClusterTrustBundleProjection configMap:ConfigMapProjection downwardAPI:DownwardAPIProjection podCertificate:PodCertificateProjection secret:SecretProjection serviceAccountToken:ServiceAccountTokenProjection',
  ClusterTrustBundleProjection: 'labelSelector:LabelSelector name optional:boolean path signerName',
  ConfigMapProjection: 'items:[KeyToPath] name optional:boolean',
  DownwardAPIProjection: 'items:[DownwardAPIVolumeFile]',
  PodCertificateProjection:
    'certificateChainPath credentialBundlePath keyPath keyType maxExpirationSeconds:number signerName userAnnotations:{string}',
  SecretProjection: 'items:[KeyToPath] name optional:boolean',
  ServiceAccountTokenProjection: 'audience expirationSeconds:number path',
  QuobyteVolumeSource: 'group readOnly:boolean registry tenant user volume',
  RBDVolumeSource:
    'fsType image keyring monitors:[string] pool readOnly:boolean secretRef:LocalObjectReference user',
  ScaleIOVolumeSource:
    'fsType gateway protectionDomain readOnly:boolean secretRef:LocalObjectReference sslEnabled:boolean storageMode storagePool system volumeName',
  SecretVolumeSource: 'defaultMode:number items:[KeyToPath] optional:boolean secretName',
  StorageOSVolumeSource: 'fsType readOnly:boolean secretRef:LocalObjectReference volumeName volumeNamespace',
  VsphereVirtualDiskVolumeSource: 'fsType storagePolicyID storagePolicyName volumePath',
};
