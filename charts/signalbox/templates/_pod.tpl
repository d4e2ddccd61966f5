{{/* The pod of a part: dict "root" $ "part" "worker" "args" (list "worker") "isTest" false */}}
{{- define "signalbox.pod" -}}
{{- $root := .root -}}
{{- $part := index .root.Values .part -}}
{{- $fullname := include "signalbox.fullname" .root -}}
{{- $store := .root.Values.record.store -}}
{{- $tls := .root.Values.temporal.tls -}}
serviceAccountName: {{ include "signalbox.serviceAccount" . }}
automountServiceAccountToken: {{ ne .part "notifier" }}
{{- with .root.Values.image.pullSecrets }}
imagePullSecrets: {{- toYaml . | nindent 2 }}
{{- end }}
# The image is for Linux on amd64 and arm64.
nodeSelector: {{- merge (dict "kubernetes.io/os" "linux") $part.nodeSelector | toYaml | nindent 2 }}
{{- with $part.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $part.affinity }}
affinity: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $part.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- if .isTest }}
restartPolicy: Never
activeDeadlineSeconds: 120
{{- else }}
topologySpreadConstraints:
  {{- with $part.topologySpreadConstraints }}
  {{- toYaml . | nindent 2 }}
  {{- else }}
  - topologyKey: kubernetes.io/hostname
    maxSkew: 1
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels: {{- include "signalbox.selector" . | nindent 8 }}
  {{- end }}
terminationGracePeriodSeconds: {{ $part.terminationGracePeriodSeconds }}
{{- end }}
securityContext: {{- toYaml .root.Values.podSecurityContext | nindent 2 }}
containers:
  - name: {{ .part }}
    image: {{ include "signalbox.image" .root }}
    {{- with .root.Values.image.pullPolicy }}
    imagePullPolicy: {{ . }}
    {{- end }}
    args: {{ toJson .args }}
    # A process that cannot start says why in its last line: the status of the pod shows it.
    terminationMessagePolicy: FallbackToLogsOnError
    envFrom:
      - configMapRef: { name: {{ $fullname }}-settings }
      {{- /* The later one wins. */}}
      {{- range $name := list "shared" .part }}
      {{- with index $root.Values.secrets $name }}
      - secretRef: { name: {{ . }} }
      {{- else }}
      - secretRef: { name: {{ $fullname }}-{{ eq $name "shared" | ternary "" (printf "%s-" $name) }}secrets, optional: true }
      {{- end }}
      {{- end }}
      {{- with $part.envFrom }}
      {{- toYaml . | nindent 6 }}
      {{- end }}
    {{- with include "signalbox.env" . }}
    env: {{- . | nindent 6 }}
    {{- end }}
    {{- if not .isTest }}
    ports:
      - { name: http, containerPort: 9464 }
      {{- if eq .part "console" }}
      - { name: pages, containerPort: 8470 }
      {{- end }}
    startupProbe:
      httpGet: { path: /healthz, port: http }
      periodSeconds: 2
      failureThreshold: 60
    livenessProbe:
      httpGet: { path: /healthz, port: http }
      periodSeconds: 20
      timeoutSeconds: 5
    readinessProbe:
      httpGet: { path: /readyz, port: http }
      periodSeconds: 5
    {{- end }}
    resources: {{- toYaml (.isTest | ternary .root.Values.watcher.resources $part.resources) | nindent 6 }}
    securityContext:
      allowPrivilegeEscalation: false
      readOnlyRootFilesystem: true
      capabilities: { drop: [ALL] }
    volumeMounts:
      - { name: tmp, mountPath: /tmp }
      {{- if and (eq .part "worker") (ne $store "s3") }}
      - { name: record, mountPath: /var/lib/signalbox }
      {{- end }}
      {{- if and (eq .part "console") (eq $store "claim") }}
      # Without the private key, which is beside these.
      - { name: record, mountPath: /var/lib/signalbox/evidence, subPath: evidence, readOnly: true }
      - { name: record, mountPath: /var/lib/signalbox/archive, subPath: archive, readOnly: true }
      {{- end }}
      {{- if eq .part "console" }}
      {{- if $part.sessionKey.existingSecret }}
      - { name: session, mountPath: /etc/signalbox/session, readOnly: true }
      {{- end }}
      {{- if and (eq $part.identity "oidc") $part.oidc.clientSecret.existingSecret }}
      - { name: oidc, mountPath: /etc/signalbox/oidc, readOnly: true }
      {{- end }}
      {{- end }}
      {{- if eq .part "notifier" }}
      - { name: routes, mountPath: /etc/signalbox/routes, readOnly: true }
      {{- if .root.Values.notifications.secret }}
      - { name: notify, mountPath: /etc/signalbox/notify, readOnly: true }
      {{- end }}
      {{- end }}
      {{- if $tls.clientSecret }}
      - { name: tls-client, mountPath: /etc/signalbox/tls-client, readOnly: true }
      {{- end }}
      {{- if $tls.caSecret }}
      - { name: tls-ca, mountPath: /etc/signalbox/tls-ca, readOnly: true }
      {{- end }}
      {{- with $part.extraVolumeMounts }}
      {{- toYaml . | nindent 6 }}
      {{- end }}
volumes:
  - name: tmp # Node's compile cache
    emptyDir: { sizeLimit: 256Mi }
  {{- if or (and (eq .part "worker") (ne $store "s3")) (and (eq .part "console") (eq $store "claim")) }}
  - name: record
    {{- if eq $store "claim" }}
    persistentVolumeClaim: { claimName: {{ include "signalbox.claim" .root }} }
    {{- else }}
    emptyDir: { sizeLimit: 2Gi }
    {{- end }}
  {{- end }}
  {{- if eq .part "console" }}
  {{- with $part.sessionKey }}
  {{- if .existingSecret }}
  - name: session
    secret: { secretName: {{ .existingSecret }}, items: [{ key: {{ .key }}, path: session-key }] }
  {{- end }}
  {{- end }}
  {{- if eq $part.identity "oidc" }}
  {{- with $part.oidc.clientSecret }}
  {{- if .existingSecret }}
  - name: oidc
    secret: { secretName: {{ .existingSecret }}, items: [{ key: {{ .key }}, path: client-secret }] }
  {{- end }}
  {{- end }}
  {{- end }}
  {{- end }}
  {{- if eq .part "notifier" }}
  - name: routes
    configMap: { name: {{ .root.Values.notifications.routesConfigMap | default (printf "%s-routes" $fullname) }} }
  {{- with .root.Values.notifications.secret }}
  - name: notify
    secret: { secretName: {{ . }}, optional: true }
  {{- end }}
  {{- end }}
  {{- with $tls.clientSecret }}
  - name: tls-client
    secret: { secretName: {{ . }} }
  {{- end }}
  {{- with $tls.caSecret }}
  - name: tls-ca
    secret: { secretName: {{ . }} }
  {{- end }}
  {{- with $part.extraVolumes }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end -}}
