/** Which functions of ClickHouse are not for readers: the engine refuses them, and editors do not offer them. */

/** Functions that read files, servers, dictionaries, or what the operator keeps to himself; in lower case. */
export const REFUSED_FUNCTIONS = new RegExp(
  '^(?:file|filesystem\\w*|dict(?:get\\w*|has|isin)|joinget\\w*|hascolumnintable|catboostevaluate|evalmlmethod|' +
    'ai(?:classify|generate|extract|embed|translate)|address(?:toline|tosymbol)\\w*|demangle|logtrace|getserver\\w+|' +
    'servername|serveruuid|getmacro|tcpport|showcertificate|zookeepersessionuptime|getmergetreesetting|' +
    'getmaxtablename\\w+|getoskernelversion|buildid|hostname|fqdn|fullhostname)$',
);
