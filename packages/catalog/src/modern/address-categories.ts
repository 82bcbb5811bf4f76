/**
 * The ids of address categories, in the order and spelling of the vendor's list ("IP Categories", corrected on 2026-05-12, read on
 * 2026-08-07, which spells `com.algolia.crawer` that way). Every prefix that ends before a dot is a category too: an address in
 * `com.cloudflare.ipv4` is also in `com.cloudflare` and in `com`.
 */
export const ADDRESS_CATEGORIES: readonly string[] = `
blocklist.greensnow_co blocklist.stopforumspam blocklist.com.cinsscore.army blocklist.blocklist_de
blocklist.blocklist_de.apache blocklist.blocklist_de.bots blocklist.blocklist_de.bruteforcelogin
blocklist.blocklist_de.ftp blocklist.blocklist_de.imap blocklist.blocklist_de.mail blocklist.blocklist_de.sip
blocklist.blocklist_de.strongips blocklist.blocklist_de.ssh blocklist.net.emergingthreats.compromised_ips
blocklist.firehol_org.abusers_1d blocklist.firehol_org.abusers_30d blocklist.firehol_org.level_1
blocklist.firehol_org.level_2 blocklist.firehol_org.level_3 blocklist.org.spamhaus.drop.ipv4
blocklist.org.spamhaus.drop.ipv6 blocklist.org.team_cymru.fullbogons.ipv4
blocklist.org.team_cymru.fullbogons.ipv6 proxy.anonymous.firehol_org proxy.anonymous.tor proxy.open.firehol_org
proxy.vpn.mullvad proxy.vpn.nordvpn proxy.vpn.pia public.brianhama.bad-asn-list com.ahrefs com.algolia.crawer
com.aws.sns com.aws.us-east-1.sns com.aws.us-east-2.sns com.aws.us-west-1.sns com.aws.us-west-2.sns com.aws
com.anthropic.api com.apple.applebot.ipv4 com.apple.icloud-private-relay com.atlassian.bitbucket
com.atlassian.confluence com.atlassian.email com.atlassian.forge com.atlassian.halp com.atlassian.jira
com.atlassian.loom com.atlassian.opsgenie com.atlassian.statuspage com.atlassian.trello tech.babbar.barkrowler
com.betterstack.betteruptimebot com.bing.bingbot.ipv4 com.brevo.webhooks net.bunny.ipv4 net.bunny.ipv6
io.censys.scanners com.cloudflare.ipv4 com.cloudflare.ipv6 org.commoncrawl.ccbot com.criteo.criteobot
com.digitalocean com.datadog com.datadog.agents com.datadog.api com.datadog.apm com.datadog.global
com.datadog.logs com.datadog.orchestrator com.datadog.process com.datadog.remote-configuration
com.datadog.synthetics-private-locations com.datadog.synthetics com.datadog.webhooks com.delinea.ipv4
com.delinea.ipv6 com.duckduckgo.duckduckbot com.fastly.ipv4 com.fastly.ipv6 blocklist.firehol_org.level_4
blocklist.firehol_org.webserver com.github.actions_macos com.github.actions com.github.api com.github.codespaces
com.github.copilot com.github.dependabot com.github.git com.github.github_enterprise_importer com.github.hooks
com.github.importer com.github.packages com.github.pages com.github.web com.gitlab.webhooks com.google.ipv4
com.google.ipv6 com.google.googlebot.ipv4 com.google.googlebot.ipv6 com.ibm.advmon_nimsoft com.ibm.file_block
com.ibm.icos com.ibm.ims com.ibm.rhel com.ibm.ssl_vpn com.ibm.service_network com.ibm.evault com.linode
com.meta.crawler com.facebook.crawler com.microsoft.azure com.microsoft.azure.actiongroup
com.microsoft.azure.applicationinsightsavailability com.microsoft.azure.autonomousdevelopmentplatform
com.microsoft.azure.azuread com.microsoft.azure.azureadvancedthreatprotection
com.microsoft.azure.azureapiforfhir com.microsoft.azure.azureapimanagement
com.microsoft.azure.azureappconfiguration com.microsoft.azure.azureappservice
com.microsoft.azure.azureappservicemanagement com.microsoft.azure.azurearcinfrastructure
com.microsoft.azure.azureattestation com.microsoft.azure.azureautomation com.microsoft.azure.azurebackup
com.microsoft.azure.azurebotservice com.microsoft.azure.azurecognitivesearch com.microsoft.azure.azureconnectors
com.microsoft.azure.azurecontainerregistry com.microsoft.azure.azurecosmosdb com.microsoft.azure.azuredatabricks
com.microsoft.azure.azuredataexplorermanagement com.microsoft.azure.azuredatalake
com.microsoft.azure.azuredeviceupdate com.microsoft.azure.azuredevops com.microsoft.azure.azuredevspaces
com.microsoft.azure.azuredigitaltwins com.microsoft.azure.azureeventgrid com.microsoft.azure.azureeventhub
com.microsoft.azure.azurefrontdoor com.microsoft.azure.azureidentity
com.microsoft.azure.azureinformationprotection com.microsoft.azure.azureiothub com.microsoft.azure.azurekeyvault
com.microsoft.azure.azureloadtestinginstancemanagement com.microsoft.azure.azuremachinelearning
com.microsoft.azure.azuremachinelearninginference com.microsoft.azure.azuremanagedgrafana
com.microsoft.azure.azuremonitor com.microsoft.azure.azuremonitorforsap com.microsoft.azure.azureopendatasets
com.microsoft.azure.azureportal com.microsoft.azure.azureresourcemanager com.microsoft.azure.azuresecuritycenter
com.microsoft.azure.azuresentinel com.microsoft.azure.azureservicebus com.microsoft.azure.azuresignalr
com.microsoft.azure.azuresiterecovery com.microsoft.azure.azurespheresecureservice_prod
com.microsoft.azure.azurespringcloud com.microsoft.azure.azuresql com.microsoft.azure.azurestack
com.microsoft.azure.azurestorage com.microsoft.azure.azuretrafficmanager com.microsoft.azure.azureupdatedelivery
com.microsoft.azure.azurevideoanalyzerformedia com.microsoft.azure.azurewebpubsub
com.microsoft.azure.batchnodemanagement com.microsoft.azure.chaosstudio
com.microsoft.azure.cognitiveservicesfrontend com.microsoft.azure.cognitiveservicesmanagement
com.microsoft.azure.datafactory com.microsoft.azure.dynamics365businesscentral
com.microsoft.azure.dynamics365formarketingemail com.microsoft.azure.eopextpublished
com.microsoft.azure.gatewaymanager com.microsoft.azure.grafana com.microsoft.azure.hdinsight
com.microsoft.azure.logicapps com.microsoft.azure.m365managementactivityapi
com.microsoft.azure.m365managementactivityapiwebhook com.microsoft.azure.marketplace
com.microsoft.azure.microsoftazurefluidrelay com.microsoft.azure.microsoftcloudappsecurity
com.microsoft.azure.microsoftcontainerregistry com.microsoft.azure.microsoftdefenderforendpoint
com.microsoft.azure.microsoftpurviewpolicydistribution com.microsoft.azure.onedscollector
com.microsoft.azure.powerbi com.microsoft.azure.powerplatforminfra com.microsoft.azure.powerplatformplex
com.microsoft.azure.powerqueryonline com.microsoft.azure.sccservice com.microsoft.azure.scuba
com.microsoft.azure.securitycopilot com.microsoft.azure.serialconsole com.microsoft.azure.servicefabric
com.microsoft.azure.sqlmanagement com.microsoft.azure.storagemover com.microsoft.azure.storagesyncservice
com.microsoft.azure.tridentkusto com.microsoft.azure.windowsadmincenter
com.microsoft.azure.windowsvirtualdesktop com.microsoft.azure.wvdrelays com.office.common.china
com.office.common.usgovdod com.office.common.usgovgcchigh com.office.common.worldwide com.office.exchange.china
com.office.exchange.usgovdod com.office.exchange.usgovgcchigh com.office.exchange.worldwide
com.office.skype.china com.office.skype.usgovdod com.office.skype.usgovgcchigh com.office.skype.worldwide
com.office.sharepoint.china com.office.sharepoint.usgovdod com.office.sharepoint.usgovgcchigh
com.office.sharepoint.worldwide com.okta.apac com.okta.ca com.okta.emea com.okta.emea_pam com.okta.in
com.okta.preview com.okta.preview_pam com.okta.us com.okta.us_pam com.openai.chatgpt.actions.ipv4
com.openai.chatgpt.user.ipv4 com.openai.gptbot.ipv4 com.openai.searchbot.ipv4 com.oracle.object_storage
com.oracle.oci com.oracle.osn com.pagerduty.webhooks.us com.pagerduty.webhooks.eu ai.perplexity.bot.ipv4
ai.perplexity.user.ipv4 com.pingdom.ipv4 com.pingdom.ipv6 com.plaid.webhooks com.ringcentral net.rssapi
com.salesforce.core com.salesforce.gov com.salesforce.hyperforce com.salesforce.news
com.semrush.semrushbot.siteaudit com.semrush.splitsignalbot com.stripe.api com.stripe.armada_gator
com.stripe.webhooks com.svix.webhooks org.telegram com.teleport com.telnyx.media com.telnyx.webhooks
com.uptimerobot.ipv4 com.uptimerobot.ipv6 com.vultr org.webpagetest com.x.twitterbot com.yandex com.zendesk
us.zoom us.zoom.meetings.ipv4 us.zoom.meetings.ipv6 us.zoom.crc us.zoom.phone.ipv4 us.zoom.phone.ipv6
us.zoom.cc.ipv4 us.zoom.cc.ipv6 us.zoom.zva us.zoom.cdn.ipv4 us.zoom.cdn.ipv6 us.zoom.apps.ipv4
us.zoom.apps.ipv6 com.zscaler.private.zpa net.zdxbeta.future net.zdxbeta.hubs.required
net.zdxbeta.hubs.recommended net.zdxcloud.future net.zdxcloud.hubs.required net.zdxcloud.hubs.recommended
net.zdxgov.hubs.required net.zdxgov.hubs.recommended net.zdxten.hubs.required net.zdxten.hubs.recommended
net.zdxten.zpa net.zpabeta.zpa net.zpagov.zpa net.zpatwo.zpa net.zscaler.cenr.continent net.zscaler.future
net.zscaler.hubs.required net.zscaler.hubs.recommended net.zscaler.zpa net.zscalerbeta.cenr.continent
net.zscalerbeta.future net.zscalerbeta.hubs.required net.zscalerbeta.hubs.recommended net.zscalerbeta.zpa
net.zscalergov.cenr.continent net.zscalergov.future net.zscalergov.hubs.required net.zscalergov.hubs.recommended
net.zscalergov.zpa net.zscalerone.cenr.continent net.zscalerone.future net.zscalerone.hubs.required
net.zscalerone.hubs.recommended net.zscalerone.zpa net.zscalerten.cenr.continent net.zscalerten.hubs.required
net.zscalerten.hubs.recommended net.zscalerten.zpa net.zscalerthree.cenr.continent net.zscalerthree.future
net.zscalerthree.hubs.required net.zscalerthree.hubs.recommended net.zscalerthree.zpa
net.zscalertwo.cenr.continent net.zscalertwo.future net.zscalertwo.hubs.required net.zscalertwo.hubs.recommended
net.zscalertwo.zpa net.zscloud.cenr.continent net.zscloud.future net.zscloud.hubs.required
net.zscloud.hubs.recommended net.zscloud.zpa us.zpagov.zpa
`
  .trim()
  .split(/\s+/);
