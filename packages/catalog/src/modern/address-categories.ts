/**
 * The ids of categories that addresses are sorted into, as the vendor's documentation lists them ("IP Categories", with the variables of IP
 * intelligence), spelt as there, `com.algolia.crawer` too. An address has the levels above each of its categories as
 * well: one of `com.cloudflare.ipv4` has `com.cloudflare` and `com`. `*` stands for any one word.
 */
export const ADDRESS_CATEGORIES: readonly string[] = [
  ...below('ai.perplexity', 'bot.ipv4 user.ipv4'),
  ...below(
    'blocklist',
    'co.greensnow com.cinsscore.army com.stopforumspam.toxic_ips net.emergingthreats.compromised_ips org.spamhaus.drop.ipv4 ' +
      'org.spamhaus.drop.ipv6 org.team_cymru.fullbogons.ipv4 org.team_cymru.fullbogons.ipv6',
  ),
  ...below('blocklist.de.blocklist', 'all apache bots bruteforcelogin ftp imap mail sip ssh strongips'),
  ...below('blocklist.org.firehol', 'abusers_1d abusers_30d level_1 level_2 level_3'),
  ...below(
    'com',
    'ahrefs algolia.crawer anthropic.api apple.applebot.ipv4 apple.icloud-private-relay betterstack.betteruptimebot bing.bingbot.ipv4 ' +
      'brevo.webhooks cloudflare.ipv4 cloudflare.ipv6 criteo.criteobot delinea.ipv4 delinea.ipv6 digitalocean duckduckgo.duckduckbot ' +
      'facebook.crawler fastly.ipv4 fastly.ipv6 gitlab.webhooks google.ipv4 google.ipv6 google.googlebot.ipv4 google.googlebot.ipv6 linode ' +
      'meta.crawler pagerduty.webhooks.eu pagerduty.webhooks.us pingdom.ipv4 pingdom.ipv6 plaid.webhooks ringcentral svix.webhooks teleport ' +
      'telnyx.media telnyx.webhooks uptimerobot.ipv4 uptimerobot.ipv6 vultr x.twitterbot yandex zendesk zscaler.private.zpa',
  ),
  ...below('com.atlassian', 'bitbucket confluence email forge halp jira loom opsgenie statuspage trello'),
  ...below('com.aws', 'sns us-east-1.sns us-east-2.sns us-west-1.sns us-west-2.sns'),
  ...below(
    'com.datadog',
    'agents api apm global logs orchestrator process remote-configuration synthetics synthetics-private-locations webhooks',
  ),
  ...below(
    'com.github',
    'actions actions_macos api codespaces copilot dependabot git github_enterprise_importer hooks importer packages pages web',
  ),
  ...below('com.ibm', 'advmon_nimsoft evault file_block icos ims rhel service_network ssl_vpn'),
  ...below(
    'com.microsoft.azure',
    'actiongroup applicationinsightsavailability autonomousdevelopmentplatform azuread azureadvancedthreatprotection azureapiforfhir ' +
      'azureapimanagement azureappconfiguration azureappservice azureappservicemanagement azurearcinfrastructure azureattestation ' +
      'azureautomation azurebackup azurebotservice azurecognitivesearch azureconnectors azurecontainerregistry azurecosmosdb azuredatabricks ' +
      'azuredataexplorermanagement azuredatalake azuredeviceupdate azuredevops azuredevspaces azuredigitaltwins azureeventgrid azureeventhub ' +
      'azurefrontdoor azureidentity azureinformationprotection azureiothub azurekeyvault azureloadtestinginstancemanagement ' +
      'azuremachinelearning azuremachinelearninginference azuremanagedgrafana azuremonitor azuremonitorforsap azureopendatasets azureportal ' +
      'azureresourcemanager azuresecuritycenter azuresentinel azureservicebus azuresignalr azuresiterecovery azurespheresecureservice_prod ' +
      'azurespringcloud azuresql azurestack azurestorage azuretrafficmanager azureupdatedelivery azurevideoanalyzerformedia azurewebpubsub ' +
      'batchnodemanagement chaosstudio cognitiveservicesfrontend cognitiveservicesmanagement datafactory dynamics365businesscentral ' +
      'dynamics365formarketingemail eopextpublished gatewaymanager grafana hdinsight logicapps m365managementactivityapi ' +
      'm365managementactivityapiwebhook marketplace microsoftazurefluidrelay microsoftcloudappsecurity microsoftcontainerregistry ' +
      'microsoftdefenderforendpoint microsoftpurviewpolicydistribution onedscollector powerbi powerplatforminfra powerplatformplex ' +
      'powerqueryonline sccservice scuba securitycopilot serialconsole servicefabric sqlmanagement storagemover storagesyncservice ' +
      'tridentkusto windowsadmincenter windowsvirtualdesktop wvdrelays',
  ),
  ...['common', 'exchange', 'sharepoint', 'skype'].flatMap(product =>
    below(`com.office.${product}`, 'china usgovdod usgovgcchigh worldwide'),
  ),
  ...below('com.okta', 'apac ca emea emea_pam in preview preview_pam us us_pam'),
  ...below('com.openai', 'chatgpt.actions.ipv4 chatgpt.user.ipv4 gptbot.ipv4 searchbot.ipv4'),
  ...below('com.oracle', 'object_storage oci osn'),
  ...below('com.salesforce', 'core gov hyperforce news'),
  ...below('com.semrush', 'semrushbot.siteaudit splitsignalbot'),
  ...below('com.stripe', 'api armada_gator webhooks'),
  ...below('io', 'censys.scanners'),
  ...below(
    'net',
    'bunny.ipv4 bunny.ipv6 rssapi zdxbeta.future zdxcloud.future zdxten.zpa zpabeta.zpa zpagov.zpa zpatwo.zpa',
  ),
  ...['zdxbeta', 'zdxcloud', 'zdxgov', 'zdxten'].flatMap(cloud => below(`net.${cloud}.hubs`, 'recommended required')),
  ...[
    'zscaler',
    'zscalerbeta',
    'zscalergov',
    'zscalerone',
    'zscalerten',
    'zscalerthree',
    'zscalertwo',
    'zscloud',
  ].flatMap(cloud => below(`net.${cloud}`, 'cenr.* future hubs.recommended hubs.required zpa')),
  ...below('org', 'commoncrawl.ccbot firehol.level_4 firehol.webserver telegram webpagetest'),
  ...below('proxy', 'anonymous.org.firehol anonymous.tor open.org.firehol vpn.mullvad vpn.nordvpn vpn.pia'),
  ...below('public', 'brianhama.bad-asn-list'),
  ...below('tech', 'babbar.barkrowler'),
  ...below(
    'us',
    'zoom.apps.ipv4 zoom.apps.ipv6 zoom.cc.ipv4 zoom.cc.ipv6 zoom.cdn.ipv4 zoom.cdn.ipv6 zoom.crc zoom.meetings.ipv4 zoom.meetings.ipv6 ' +
      'zoom.phone.ipv4 zoom.phone.ipv6 zoom.zva zpagov.zpa',
  ),
];

function below(root: string, names: string): readonly string[] {
  return names.split(' ').map(name => `${root}.${name}`);
}
