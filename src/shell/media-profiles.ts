import { STARTS } from "./hazard-reasons.ts";
import type { Profile } from "./profile.ts";

/** To be told the code in the command, or to be let out of what keeps a text from running programs. */
const TEX: Profile = {
  style: "single",
  harmless:
    "-halt-on-error -interaction -output-directory -jobname -file-line-error -synctex -draftmode -version -help -recorder -no-shell-escape -output-format",
  runs: "-shell-escape -enable-write18 -shell-restricted -fmt -ini -cnf-line -progname",
  operands: { pattern: /[\\&|]/, why: STARTS.code },
};
const DOWNLOADS: Profile = {
  harmless:
    "-F --list-formats -f --format -x --extract-audio --audio-format --audio-quality -o --output -i --ignore-errors -v --verbose -q --quiet -s --simulate -j --dump-json -J --dump-single-json -g --get-url --get-title --write-sub --write-subs --write-auto-sub --sub-lang --sub-langs --embed-subs --no-playlist --yes-playlist --playlist-items -r --limit-rate -c --continue -w --no-overwrites -4 -6 --merge-output-format --restrict-filenames -k --keep-video --recode-video --remux-video -S --format-sort",
  values: "forS",
  runs: "--exec --exec-before-download --external-downloader --external-downloader-args --downloader --downloader-args --postprocessor-args --ppa --use-postprocessor --ffmpeg-location --netrc-cmd --plugin-dirs --config-location --config-locations",
};
/** A bar before the name of a picture makes it a command whose output is one; some kinds of it are scripts. */
const IMAGES: Profile = {
  style: "single",
  harmless:
    "-resize -quality -rotate -crop -geometry -strip -auto-orient -density -background -flatten -gravity -extent -format -verbose -negate -flip -flop -trim -fuzz -transparent -alpha -append +append -depth -type -colors -colorspace -level -normalize -gamma -sharpen -blur -border -bordercolor -fill -stroke -pointsize -annotate -compress -delay -loop -layers -interlace -monochrome -scale -sample -thumbnail -unsharp -sepia-tone -threshold -version -help -size -channel -modulate -brightness-contrast -tile -label +repage -page -dispose -coalesce -deskew -despeckle -monitor -ping",
  begins: /^\s*\||^(?:msl|mvg|ephemeral|show|win|x|script):|^@/i,
};
/** Programs for documents, pictures and films. */
export const MEDIA_PROFILES: Readonly<Record<string, Profile>> = {
  tex: TEX,
  latex: TEX,
  pdftex: TEX,
  pdflatex: TEX,
  xetex: TEX,
  xelatex: TEX,
  luatex: TEX,
  lualatex: TEX,
  latexmk: { begins: /^--?(?:[er]$|(?:pdf|lua|xe|hi)?latex=|usepretex|pretex|shell-escape|latexoption)/ },
  gs: {
    style: "single",
    looks:
      /^-(?:q|v|h|dBATCH|dNOPAUSE|dSAFER|dQUIET|sDEVICE=\w+|r\d+(?:x\d+)?|sOutputFile=[\w./%-]+|dPDFSETTINGS=\/\w+|dCompatibilityLevel=[\d.]+|d(?:First|Last)Page=\d+|sPAPERSIZE=\w+|dFIXEDMEDIA|dPDFFitPage|g\d+x\d+|d(?:Text|Graphics)AlphaBits=\d|dAutoRotatePages=\/\w+)$/,
    runs: "-c",
    begins: /^-d(?:NO|DELAY)SAFER/,
    says: /%pipe%|OutputFile=\|/,
  },
  dvips: { begins: /^-o[|!]/, operands: { pattern: /^[|!]/, why: STARTS.another } },
  enscript: { runs: "--filter", operands: { pattern: /^[|!]/, why: STARTS.another }, begins: /^(?:-p|--output=)[|!]/ },
  groff: { runs: "-U -X -l", values: "TmPFfrdKwW" },
  troff: { runs: "-U" },
  nroff: { runs: "-U" },
  pandoc: {
    harmless:
      "-f --from -r --read -t --to -w --write -o --output -s --standalone -N --number-sections --toc --table-of-contents --toc-depth --wrap --columns -M --metadata -V --variable --shift-heading-level-by --reference-links --list-input-formats --list-output-formats -v --version -h --help --quiet --verbose --mathjax --katex --no-highlight --highlight-style --top-level-division --tab-stop -i --incremental -p --preserve-tabs --strip-comments --ascii --citeproc -C --embed-resources --self-contained",
    runs: "-F --filter -L --lua-filter --pdf-engine --pdf-engine-opt -d --defaults --data-dir",
    values: "ofrtwVMHABc",
    begins: /^(?:-[frtw]|--(?:from|read|to|write)=).*\.lua$/,
  },
  ...Object.fromEntries(
    "convert magick identify mogrify composite montage gm".split(" ").map((name) => [name, IMAGES]),
  ),
  "yt-dlp": DOWNLOADS,
  "youtube-dl": DOWNLOADS,
  aria2c: { begins: /^--(?:on-|conf-path)/ },
  ffmpeg: {
    style: "single",
    harmless:
      "-i -y -n -c -codec -vcodec -acodec -b -ab -vb -r -s -ss -t -to -an -vn -sn -crf -preset -tune -f -ar -ac -aspect -map -metadata -threads -loglevel -v -hide_banner -stats -nostdin -version -formats -codecs -encoders -decoders -filters -pix_fmt -q -qscale -shortest -movflags -framerate -frames -vframes -loop -h -help -copyts -g -bf -maxrate -bufsize -pass -profile -level -vol -itsoffset -strict -start_number",
    looks: /^-(?:c|codec|b|q|qscale|r|s|metadata|frames|profile|filter):[a-z0-9:]+$/,
  },
  ffprobe: {
    style: "single",
    harmless:
      "-i -v -loglevel -hide_banner -show_format -show_streams -show_entries -print_format -of -select_streams -of -pretty -version -show_packets -show_frames -count_frames",
  },
  // Conditions, formats and `${TAG;…}` are Perl.
  exiftool: { begins: /^-(?:if\d*|p|printformat|config|use|@)$/, says: /\$\{[^}]*;/ },
};
