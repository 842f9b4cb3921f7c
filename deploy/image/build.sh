#!/usr/bin/env bash
# Builds an OCI image of the program on Debian or Ubuntu, without Docker, registry or root: deploy/image/build.sh [FOLDER]
# FOLDER, by default build, gets image/ (an OCI layout) and content-api-VERSION-image.tar (for docker load and podman load).
# Two layers: Node with the libraries that it needs of this machine, and the program as `npm run package` packs it.
# IMAGE_SOURCE=URL adds the label org.opencontainers.image.source. Two builds of one commit on one machine have the same bytes.
set -euo pipefail
export LC_ALL=C TZ=UTC
root=$(cd "$(dirname "$0")/../.." && pwd)

complaints=0
missing() { # WHAT HOW
  echo "$1 is missing: $2" >&2
  complaints=1
}
command -v node >/dev/null || missing node "install Node 20 or newer with npm"
command -v dpkg-query >/dev/null || missing dpkg-query "build on Debian or Ubuntu, whose libraries the image gets"
tar --version 2>/dev/null | grep -q "GNU tar" || missing "GNU tar" "apt-get install tar"
[ -d /usr/share/zoneinfo/Etc ] || missing tzdata "apt-get install tzdata"
[ -d /usr/share/ca-certificates/mozilla ] || missing ca-certificates "apt-get install ca-certificates"
[ "$complaints" = 0 ] || exit 1

mkdir -p "${1:-$root/build}"
target=$(cd "${1:-$root/build}" && pwd)
work=$(mktemp -d "$target/unfinished-XXXXXX")
trap 'rm -rf "$work"' EXIT
system=$work/system program=$work/program

(cd "$root" && node bin/setup.js)
node=$root/node_modules/node/bin/node
"$node" "$root/bin/package.js" "$work" /data >/dev/null
mkdir -p "$program/opt/content-api" "$program/usr/local/bin"
tar -xzf "$work"/content-api-*.tgz -C "$program/opt/content-api" --strip-components=1
# The package's own first line asks /usr/bin/env for Node. The image has none.
printf '#!/usr/local/bin/node\nrequire("/opt/content-api/bin/content-api.cjs");\n' >"$program/usr/local/bin/content-api"
chmod +x "$program/usr/local/bin/content-api"

# Where runtimes mount theirs, so that they need not write to the root.
mkdir -p "$system"/{dev,proc,sys,etc/ssl/certs,usr/local/bin,usr/share,var/lib/dpkg/status.d}
cp "$node" "$system/usr/local/bin/node"

# Debian's packages whose files the image has. Scanners find their versions in status.d.
packages=(base-files ca-certificates tzdata)
owner() { { dpkg-query -S "$1" || dpkg-query -S "/usr$1"; } 2>/dev/null | sed -n '1s/:.*//p'; }
# ldd also names the file of the kernel, without a path. Before glibc 2.34, names were looked up by libraries of their own.
libraries=$(ldd "$node" | grep -o '/[^ ]*')
folder=$(dirname "$(grep '/libc\.so' <<<"$libraries")")
for library in $libraries "$folder"/lib{nss_dns,nss_files,resolv}.so.2; do
  [ -e "$library" ] || continue
  mode=644
  case $library in */ld-*) mode=755 ;; esac
  install -D -m $mode "$library" "$system$library"
  package=$(owner "$library")
  [ -n "$package" ] || { echo "No package owns $library, so its license is unknown." >&2 && exit 1; }
  packages+=("$package")
done
for package in $(printf '%s\n' "${packages[@]}" | sort -u); do
  dpkg-query -s "$package" >"$system/var/lib/dpkg/status.d/$package"
  install -D -m 644 "/usr/share/doc/$package/copyright" "$system/usr/share/doc/$package/copyright"
done
# Node's, with those of everything that is built into it.
install -D -m 644 "$root"/node_modules/node/node_modules/node-linux-*/LICENSE "$system/usr/share/doc/node/copyright"

cp /usr/lib/os-release "$system/etc/os-release"
cp -rP /usr/share/zoneinfo "$system/usr/share/zoneinfo"
# Duplicates; and this machine's own zone.
rm -rf "$system/usr/share/zoneinfo"/{posix,right,localtime,posixrules}
# Debian's certificates, and none that this machine trusts besides.
cat /usr/share/ca-certificates/mozilla/*.crt >"$system/etc/ssl/certs/ca-certificates.crt"
printf 'root:x:0:0::/:/nonexistent\ncontent-api:x:10001:10001::/data:/nonexistent\n' >"$system/etc/passwd"
printf 'root:x:0:\ncontent-api:x:10001:\n' >"$system/etc/group"
echo 'hosts: files dns' >"$system/etc/nsswitch.conf"

# The date of the files in every npm package. The date of the commit would make another first layer of each commit.
packed=(--format=ustar --sort=name --mtime=@499162500 --numeric-owner)
layer() { # FOLDER
  (cd "$1" && tar -cf "$1.tar" "${packed[@]}" --owner=0 --group=0 --mode=u=rwX,go=rX -- *)
}
layer "$system"
layer "$program"
mkdir "$work/data"
tar -rf "$system.tar" "${packed[@]}" --owner=10001 --group=10001 --mode=0700 -C "$work" data

# Whoever builds has just run the checkout's own code, and so trusts it, even if somebody else owns it.
commit() { GIT_OPTIONAL_LOCKS=0 git -C "$root" -c safe.directory="$root" "$@"; }
if [ -e "$root/.git" ] && REVISION=$(commit rev-parse HEAD); then
  commit diff --quiet HEAD || REVISION+=-modified
  CREATED=${SOURCE_DATE_EPOCH:-$(commit log -1 --format=%ct)}
fi
export REVISION CREATED=${CREATED:-${SOURCE_DATE_EPOCH:-499162500}}
"$node" "$root/deploy/image/layout.js" "$work/image" "$system.tar" "$program.tar"
(cd "$work/image" && tar -cf "$work/image.tar" "${packed[@]}" --owner=0 --group=0 --mode=u=rwX,go=rX -- *)

version=$("$node" -p 'require(process.argv[1]).version' "$root/package.json")
archive=$target/content-api-$version-image.tar
rm -rf "$target/image"
mv "$work/image" "$target/image"
mv "$work/image.tar" "$archive"
echo "$target/image and $archive: $(($(stat -c %s "$archive") / 1000000)) MB"
