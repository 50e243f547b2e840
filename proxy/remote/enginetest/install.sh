#!/usr/bin/env bash
# Installs search engines for tests, as packages of PyPI, of Go and of Maven.
#
#   install.sh [postgres] [weaviate] [opensearch]     some of them; without a name, all
#
# They go into $SEAM_ENGINES (default: /var/tmp/seam-engines, where a user that is not root
# can read them) and stay there. Needs python3 with venv; go; java 17, mvn and unzip.
set -euo pipefail
dir=${SEAM_ENGINES:-/var/tmp/seam-engines}
mkdir -p "$dir" && dir=$(cd "$dir" && pwd)

# PostgreSQL 16 with pgvector 0.6: one wheel.
postgres() {
  [ -e "$dir/pg/.ready" ] && return
  rm -rf "$dir/pg"
  python3 -m venv "$dir/pg"
  "$dir/pg/bin/pip" install --quiet --disable-pip-version-check pgserver==0.1.4
  touch "$dir/pg/.ready"
}

# Weaviate, built from its module: some five minutes on two cores.
weaviate() {
  [ -x "$dir/weaviate/weaviate-server" ] && return
  (cd / && GOBIN="$dir/weaviate" go install github.com/weaviate/weaviate/cmd/weaviate-server@v1.35.2)
}

# OpenSearch from what Maven has of it: the server without modules, two plugins, and two
# modules whose jars are there as libraries, which a descriptor makes modules again.
opensearch() {
  local version=2.19.1 home=$dir/opensearch/opensearch-2.19.1
  [ -e "$home/.ready" ] && return
  rm -rf "$dir/opensearch"
  mkdir -p "$dir/opensearch/artifacts"
  fetch() { mvn -q -B -Dstyle.color=never dependency:copy -Dartifact="$1" -DoutputDirectory="$dir/opensearch/artifacts" -Dmdep.useBaseVersion=true >/dev/null; }
  fetch org.opensearch.distribution.integ-test-zip:opensearch:$version:zip
  unzip -q "$dir/opensearch/artifacts/opensearch-$version.zip" -d "$dir/opensearch"
  for plugin in opensearch-knn neural-search; do
    fetch org.opensearch.plugin:$plugin:$version.0:zip
    unzip -q "$dir/opensearch/artifacts/$plugin-$version.0.zip" -d "$home/plugins/$plugin"
  done
  module() { # name, class, what it extends, artifacts
    local to=$home/modules/$1 jar
    mkdir -p "$to"
    printf '%s\n' "description=$1" "version=$version" "name=$1" "classname=$2" "java.version=11" "opensearch.version=$version" \
      "extended.plugins=$3" "has.native.controller=false" > "$to/plugin-descriptor.properties"
    for jar in "${@:4}"; do
      fetch "$jar"
      cp "$dir/opensearch/artifacts/$(cut -d: -f2 <<<"$jar")-$(cut -d: -f3 <<<"$jar").jar" "$to/"
    done
  }
  module lang-painless org.opensearch.painless.PainlessPlugin "" org.opensearch.plugin:lang-painless:$version \
    org.opensearch.plugin:opensearch-scripting-painless-spi:$version org.antlr:antlr4-runtime:4.13.1 org.ow2.asm:asm{,-analysis,-commons,-tree,-util}:9.7
  printf 'grant {\n  permission java.lang.RuntimePermission "createClassLoader";\n  permission java.lang.RuntimePermission "getClassLoader";\n};\n' \
    > "$home/modules/lang-painless/plugin-security.policy"
  module analysis-common org.opensearch.analysis.common.CommonAnalysisPlugin lang-painless org.opensearch.plugin:analysis-common:$version
  chmod -R a+rX "$dir/opensearch"
  touch "$home/.ready"
}

for engine in "${@:-postgres weaviate opensearch}"; do
  for name in $engine; do "$name"; done
done
