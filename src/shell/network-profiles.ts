import { PSQL_SAYS, SQLITE_SAYS } from "./client-profiles.ts";
import { STARTS } from "./hazard-reasons.ts";
import { ALL_OTHERS, type Profile } from "./profile.ts";

/** Programs that talk to other machines, and clients of databases. */
export const NETWORK_PROFILES: Readonly<Record<string, Profile>> = {
  curl: {
    harmless:
      "-s --silent -S --show-error -f --fail --fail-with-body --fail-early -L --location -I --head -v --verbose -i --include --show-headers -k --insecure -X --request -A --user-agent -e --referer -u --user -m --max-time --connect-timeout --retry --retry-delay --retry-max-time --retry-connrefused --retry-all-errors --compressed -g --globoff -G --get -4 --ipv4 -6 --ipv6 -0 --http1.0 --http1.1 --http2 --http3 --tlsv1 --tlsv1.0 --tlsv1.1 --tlsv1.2 --tlsv1.3 -N --no-buffer -# --progress-bar --no-progress-meter -r --range -y --speed-time -Y --speed-limit --limit-rate --max-redirs --max-filesize --keepalive-time --no-keepalive --path-as-is --proto --proto-default --proto-redir --anyauth --basic --digest --ntlm --negotiate -l --list-only -Z --parallel --parallel-max --tcp-nodelay --raw --styled-output -q --disable -V --version -h --help",
    writes:
      "-o --output -O --remote-name --remote-name-all --output-dir -c --cookie-jar -D --dump-header --trace --trace-ascii --stderr --libcurl --etag-save --hsts --alt-svc -J --remote-header-name --create-dirs -w --write-out",
    turns:
      "-K --config -T --upload-file -F --form -d --data --data-binary --data-ascii --data-urlencode --data-raw --json -x --proxy --preproxy --socks5 --socks4 --netrc-file --unix-socket --abstract-unix-socket --cert --key --cacert --engine -E --resolve --connect-to --doh-url -b --cookie -H --header --variable --expand-url --next",
    values: "AeXmuyYzrCP",
    operands: {
      pattern: /^(?:file|scp|sftp|smb|dict|gopher|ldap|telnet|tftp)/i,
      why: "reaches something else than the web",
    },
  },
  wget: {
    harmless:
      "-q --quiet -v --verbose -nv --no-verbose -c --continue -S --server-response -t --tries -T --timeout -w --wait --random-wait -N --timestamping -r --recursive -l --level -np --no-parent -nd --no-directories -nc --no-clobber -nH --no-host-directories -x --force-directories -k --convert-links -p --page-requisites -m --mirror -A --accept -R --reject -D --domains -H --span-hosts -L --relative -U --user-agent -Q --quota -b --background -d --debug -4 --inet4-only -6 --inet6-only --spider --show-progress --progress --no-check-certificate --content-disposition --trust-server-names --limit-rate --max-redirect --header --referer --user --password --http-user --http-password --no-proxy --no-cache --no-cookies --cut-dirs --exclude-directories -X --include-directories -I --delete-after --retry-connrefused --waitretry --dns-timeout --connect-timeout --read-timeout --secure-protocol --https-only --no-hsts --method --ignore-length --adjust-extension -E --no-iri --compression -h --help -V --version",
    runs: "--use-askpass -e --execute",
    writes:
      "-O --output-document -P --directory-prefix -o --output-file -a --append-output --save-cookies --warc-file --rejected-log --hsts-file",
    turns: "-i --input-file --config --post-file --body-file --load-cookies --ca-certificate --private-key",
    values: "tTUQlwARDXI",
  },
  rsync: {
    harmless:
      "-a --archive -v --verbose -r --recursive -z --compress -n --dry-run -u --update -h --human-readable -P --progress --partial -l --links -p --perms -t --times -g --group -o --owner -D --devices --specials -i --itemize-changes -q --quiet --stats -x --one-file-system -c --checksum -S --sparse -H --hard-links -A --acls -X --xattrs -W --whole-file -L --copy-links -k --copy-dirlinks -K --keep-dirlinks -O --omit-dir-times -J -R --relative -m --prune-empty-dirs -d --dirs -E --executability -I --ignore-times -0 -8 -4 -6 --include --exclude -C --cvs-exclude --size-only --existing --ignore-existing --max-size --min-size --bwlimit --timeout --contimeout --info --debug --no-owner --no-group --no-perms --no-times --chmod --inplace --append --append-verify --numeric-ids --safe-links --munge-links --compress-level --list-only --port --version --help",
    runs: "-e --rsh --rsync-path --server -M --remote-option",
    writes: "--log-file --write-batch --only-write-batch",
    deletes: "--delete --remove-source-files",
    turns: "--files-from --include-from --exclude-from --config -f --filter --password-file",
  },
  ssh: { harmless: ALL_OTHERS, runs: "-o -F -E -I -S -J -L -R -D -W -w -t -T -A -X -Y -M -O -f -N", values: "bcelmpQ" },
  scp: { harmless: ALL_OTHERS, runs: "-o -F -S -D -J", values: "cilPX" },
  sftp: { harmless: ALL_OTHERS, runs: "-o -F -S -D -b -J", values: "BcilPR" },
  openssl: {
    harmless:
      "-in -text -noout -subject -issuer -dates -enddate -startdate -fingerprint -serial -pubkey -modulus -inform -outform -days -connect -servername -showcerts -verify -verify_return_error -checkend -sha1 -sha256 -sha384 -sha512 -md5 -hex -base64 -d -e -a -A -r -c -binary -nodes -noenc -help -v -CAfile -CApath -nameopt -purpose -ext -hash -email -pbkdf2 -iter -salt -aes-256-cbc -alpn -tls1_2 -tls1_3 -brief -quiet",
    style: "single",
    runs: "-engine -provider -provider-path -provider_path -ssl_client_engine",
    sub: { engine: { style: "single", runs: "-pre -post", operands: { why: STARTS.subcommand } } },
    writes: "-out -keyout -writerand",
    turns: "-config",
  },
  sqlite3: {
    harmless:
      "-header -headers -noheader -csv -json -line -column -list -html -markdown -box -table -quote -tabs -ascii -readonly -separator -newline -nullvalue -batch -bail -echo -version -help -safe -interactive -stats",
    style: "single",
    runs: "-cmd -init",
    operands: { pattern: /^\s*\./, why: STARTS.sqliteCommand },
    says: SQLITE_SAYS,
  },
  psql: {
    harmless:
      "-A --no-align -t --tuples-only -q --quiet -X --no-psqlrc -c --command -d --dbname -h --host -p --port -U --username -l --list -e --echo-queries -E --echo-hidden -a --echo-all -b --echo-errors -n --no-readline -S --single-line -1 --single-transaction -x --expanded -H --html --csv -F --field-separator -R --record-separator -P --pset -T --table-attr -z -0 -w --no-password -W --password -v -V --version",
    values: "cdhpUFRPT",
    looks: /^--(?:set|variable)=[A-Za-z_]\w*=/,
    // A prompt may hold a command, and variables name files.
    begins: /^(?:-\w*v|--(?:set|variable)=)?(?:PROMPT|HISTFILE)/,
    runs: "-f --file -o --output -L --log-file",
    operands: { pattern: /\\/, why: STARTS.psqlCommand },
    says: PSQL_SAYS,
  },
  nc: {
    harmless: "-z -v -w -n -u -l -k -4 -6 -q -N -d -D -h",
    runs: "-e -c --exec --sh-exec --lua-exec",
    values: "pqsw",
  },
  ncat: {
    harmless: "-z -v -w -n -u -l -k -4 -6 -q -N -d -D -h",
    runs: "-e -c --exec --sh-exec --lua-exec",
    values: "pqsw",
  },
  socat: {
    operands: { pattern: /^(?:EXEC|SYSTEM|SHELL|OPEN|CREATE|GOPEN|PIPE|FILE)/i, why: STARTS.address },
  },
  nmap: {
    looks:
      /^-(?:s[STUVnLA]+|p[\d,-]*|P[nESAUP][\d,]*|T[0-5]|v+|d+|n|R|F|O|r|6|h|V|-open|-reason|-top-ports(?:=\d+)?|-version|-traceroute|-max-retries=\d+|-host-timeout=\w+)$/,
    values: "",
    runs: "--script -iL -oN -oA -oX -oG --datadir --resume",
  },
  tcpdump: {
    harmless:
      "-i -n -v -c -e -A -X -x -q -s -t -D -l -p -K -S -N -O -u -# -h --version --interface --count --list-interfaces",
    values: "ics",
    runs: "-z",
    writes: "-w",
  },
};
