# Gets the source of a Debian package, and the packages that compiling it needs. To be read by a script: `. ./debian-source.sh`

# fetch_source PACKAGE RELEASE [NEEDED ...]: changes to the folder of the source, of a release such as "bookworm".
fetch_source() {
  package=$1
  release=$2
  shift 2
  # Debian's images list packages of their own release only; the sources are in the same archive.
  own=$(. /etc/os-release && echo "$VERSION_CODENAME")
  lists=/etc/apt/sources.list.d
  # Of all versions that are listed the highest one is taken, so no list may be left behind.
  trap 'rm -f "$lists"/source-of-*' EXIT
  if [ -f "$lists"/debian.sources ]; then
    sed "s/^Types: .*/Types: deb-src/; s/$own/$release/g" "$lists"/debian.sources > "$lists/source-of-$release.sources"
  else
    sed -n "s/^deb \(.*\)$own/deb-src \1$release/p" /etc/apt/sources.list > "$lists/source-of-$release.list"
  fi
  apt-get update
  apt-get install -y --no-install-recommends dpkg-dev gcc libc6-dev make "$@"
  cd "$(mktemp -d)"
  apt-get source --only-source "$package"
  cd "$package"-*/
}
