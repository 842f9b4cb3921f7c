// Command walk signs a person in with coreos/go-oidc and golang.org/x/oauth2, then reads and writes with the typed client
// that genqlient makes from schema.graphql. Each step that went well prints a line, and the first that did not ends it.
package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net/http"
	"net/url"
	"os"
	"time"

	"github.com/Khan/genqlient/graphql"
	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"
)

//go:generate go tool genqlient genqlient.yaml

func main() {
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Minute)
	defer cancel()
	provider, err := oidc.NewProvider(ctx, os.Getenv("ISSUER"))
	check(err)
	config := &oauth2.Config{
		ClientID:    os.Getenv("CLIENT_ID"),
		Endpoint:    provider.Endpoint(),
		RedirectURL: os.Getenv("REDIRECT_URI"),
		Scopes:      []string{oidc.ScopeOpenID, "profile", "posts:read", "posts:write", "users:read"},
	}

	token, idToken := signIn(ctx, provider, config)
	var claims struct{ Name string }
	check(idToken.Claims(&claims))
	fmt.Println("Signed in as", claims.Name)

	info, err := provider.UserInfo(ctx, oauth2.StaticTokenSource(token))
	check(err)
	check(info.Claims(&claims))
	if info.Subject != idToken.Subject {
		log.Fatal("userinfo is about somebody else")
	}
	fmt.Println("Userinfo of", claims.Name)

	written, err := CreatePost(ctx, api(ctx, token), CreatePostInput{Title: "Hello from Go", Body: "First *post*"})
	check(err)
	fmt.Println("Wrote", written.CreatePost.Title, written.CreatePost.Status)

	refreshed, err := config.TokenSource(ctx, &oauth2.Token{RefreshToken: token.RefreshToken}).Token()
	check(err)
	if refreshed.AccessToken == token.AccessToken || refreshed.RefreshToken == token.RefreshToken {
		log.Fatal("the refresh brought an old token")
	}
	fmt.Println("Refreshed")

	read, err := NewestPosts(ctx, api(ctx, refreshed), 1)
	check(err)
	for _, post := range read.Posts {
		fmt.Println("Read", post.Title, "by", post.Author.Name)
	}

	revoke(ctx, provider, config, refreshed.RefreshToken)
	fmt.Println("Revoked")
	for { // a revocation takes effect within a second
		_, err = NewestPosts(ctx, api(ctx, refreshed), 1)
		if err != nil {
			break
		}
		time.Sleep(20 * time.Millisecond)
	}
	var rejected *graphql.HTTPError
	if !errors.As(err, &rejected) {
		log.Fatal(err)
	}
	fmt.Println("Rejected with", rejected.StatusCode)
	_, err = config.TokenSource(ctx, &oauth2.Token{RefreshToken: refreshed.RefreshToken}).Token()
	var refused *oauth2.RetrieveError
	if !errors.As(err, &refused) {
		log.Fatal("the refresh after the revocation: ", err)
	}
	fmt.Println("Refresh rejected with", refused.ErrorCode)
}

// signIn prints a URL for the person and waits for the answer at the redirect URI.
func signIn(ctx context.Context, provider *oidc.Provider, config *oauth2.Config) (*oauth2.Token, *oidc.IDToken) {
	verifier, state, nonce := oauth2.GenerateVerifier(), oauth2.GenerateVerifier(), oauth2.GenerateVerifier()
	redirect, err := url.Parse(config.RedirectURL)
	check(err)
	answers := make(chan url.Values, 1)
	mux := http.NewServeMux()
	mux.HandleFunc(redirect.Path, func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, "You can close this window.")
		answers <- r.URL.Query()
	})
	listener := &http.Server{Addr: redirect.Host, Handler: mux}
	go func() {
		if err := listener.ListenAndServe(); !errors.Is(err, http.ErrServerClosed) {
			log.Fatal(err)
		}
	}()
	fmt.Println("Sign in at", config.AuthCodeURL(state, oauth2.S256ChallengeOption(verifier), oidc.Nonce(nonce)))
	var answer url.Values
	select {
	case answer = <-answers:
	case <-ctx.Done():
		log.Fatal("nobody signed in")
	}
	check(listener.Shutdown(ctx))
	if answer.Get("state") != state || answer.Get("iss") != os.Getenv("ISSUER") {
		log.Fatal("the answer belongs to another request")
	}
	token, err := config.Exchange(ctx, answer.Get("code"), oauth2.VerifierOption(verifier))
	check(err)
	raw, _ := token.Extra("id_token").(string)
	idToken, err := provider.Verifier(&oidc.Config{ClientID: config.ClientID}).Verify(ctx, raw)
	check(err)
	if idToken.Nonce != nonce {
		log.Fatal("the ID token belongs to another request")
	}
	return token, idToken
}

// api is the GraphQL endpoint with a token, which is not refreshed.
func api(ctx context.Context, token *oauth2.Token) graphql.Client {
	return graphql.NewClient(os.Getenv("API"), oauth2.NewClient(ctx, oauth2.StaticTokenSource(token)))
}

// revoke ends a token (RFC 7009). golang.org/x/oauth2 has no function for it.
func revoke(ctx context.Context, provider *oidc.Provider, config *oauth2.Config, token string) {
	var metadata struct {
		RevocationEndpoint string `json:"revocation_endpoint"`
	}
	check(provider.Claims(&metadata))
	response, err := http.PostForm(metadata.RevocationEndpoint, url.Values{"client_id": {config.ClientID}, "token": {token}})
	check(err)
	check(response.Body.Close())
	if response.StatusCode != http.StatusOK {
		log.Fatal("the revocation answered ", response.Status)
	}
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
